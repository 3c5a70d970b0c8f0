import json
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from datasets import Dataset
from datasets.fingerprint import Hasher
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForMaskedLM,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForMaskedLM,
    T5Config,
    T5ForConditionalGeneration,
)

from sda_hf.augmentation.config import from_config
from sda_hf.augmentation.contextual import RandomContextualWords
from sda_hf.augmentation.generative import BackTranslation, Paraphrase
from sda_hf.augmentation.pretrained_models import load
from sda_hf.grammar.edits import Edit

CLASSES = {
    "paraphrase": Paraphrase,
    "back-translation": BackTranslation,
    "random-contextual-words": RandomContextualWords,
}
NAMES = list(CLASSES)
WRITERS = ["paraphrase", "back-translation"]
TEXTS = [
    "The big dog left early.",
    "The cat slept.",
    "",
    "🙂",
    "The small house, the big shop and the old street was closed today!",
    "She stayed in the house by the big, red shop.",
    "big",
    "He left, he left again and the dog barked.",
    "the big " * 60,
]


@pytest.fixture
def make(made_models):
    return lambda name, **fields: CLASSES[name](**made_models[name] | fields)


@pytest.fixture(scope="session")
def random_t5(tmp_path_factory, seq2seq):
    """A T5 that writes random text, and ends it often enough."""
    folder = tmp_path_factory.mktemp("t5")
    seq2seq(folder)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        size = len(PreTrainedTokenizerFast.from_pretrained(folder))
        config = T5Config(
            vocab_size=size, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, pad_token_id=0, eos_token_id=1,
            decoder_start_token_id=0, initializer_factor=0.3, tie_word_embeddings=False,
        )  # fmt: skip
        T5ForConditionalGeneration(config).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="session")
def random_bert(tmp_path_factory, masked_lm):
    folder = tmp_path_factory.mktemp("bert")
    masked_lm(folder)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        size = len(PreTrainedTokenizerFast.from_pretrained(folder))
        config = BertConfig(
            vocab_size=size, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
            max_position_embeddings=200, initializer_range=1.0,
        )  # fmt: skip
        BertForMaskedLM(config).save_pretrained(folder)
    return str(folder)


# -- output --------------------------------------------------------------------------------------


def test_a_paraphrase_replaces_the_whole_text(make):
    rewrite = make("paraphrase").explain("The big dog left early.")
    assert rewrite.text == "The large hound departed soon."
    assert rewrite.edits == (Edit(0, 23, "The large hound departed soon.", "paraphrase", "paraphrase"),)
    assert rewrite.rule == "paraphrase"


def test_a_back_translation_goes_through_both_models(make):
    rewrite = make("back-translation").explain("The big dog left early.")
    assert (rewrite.text, rewrite.rule) == ("The great dog went soon.", "back-translation")
    there = make("paraphrase", model=make("back-translation").forward)
    assert there.explain("The big dog left early.").text == "Le grand chien partit tôt."


@pytest.mark.parametrize("name", WRITERS)
def test_reasons_to_skip_a_generated_text(make, name):
    assert [r.skipped for r in make(name).rewrite(TEXTS)] == [
        None, "unchanged", "empty text", "empty output", None, None, None, None, "over 64 tokens",
    ]  # fmt: skip
    assert make(name, max_length=5).explain("He left again today.").skipped == "over 5 tokens"


def test_a_text_may_have_as_many_tokens_as_the_model_has_positions(make, tmp_path, seq2seq):
    short = seq2seq(tmp_path, positions=8)
    paraphrase = make("paraphrase", model=short, max_length=64)
    assert paraphrase.explain("the big big big big big dog").text == "the large large large large large hound"
    assert paraphrase.explain("the big big big big big big dog").skipped == "over 8 tokens"


def test_a_truncated_output_is_not_a_paraphrase(make, tmp_path, seq2seq):
    endless = seq2seq(tmp_path, {"</s>": ["again"]})
    assert make("paraphrase", model=endless, max_length=9).explain("The dog.").skipped == "no end within 9 tokens"
    forward_is_cut = make("back-translation", forward=endless, max_length=9)
    assert forward_is_cut.explain("The dog.").skipped == "no end within 9 tokens"


def test_the_prefix_precedes_each_text_and_counts_toward_the_limit(make, monkeypatch):
    paraphrase = make("paraphrase", prefix="paraphrase: ")
    seen = spied(monkeypatch, paraphrase.model)
    assert paraphrase.explain("The dog.").text == "paraphrase: The hound."
    tokenizer = load("seq2seq", paraphrase.model, "cpu", "float32").tokenizer
    assert tokenizer.decode(seen[0][0][0]) == "paraphrase: The dog.</s>"
    assert make("paraphrase", prefix="paraphrase: ", max_length=5).explain("The dog.").skipped == "over 5 tokens"


def test_settings_of_the_checkpoint_do_not_override_those_of_the_augmenter(make, tmp_path, seq2seq):
    folder = seq2seq(tmp_path)
    settings = Path(folder, "generation_config.json")
    said = json.loads(settings.read_text())
    said |= {"num_beams": 8, "num_beam_groups": 4, "diversity_penalty": 1.0, "do_sample": True, "max_length": 3}
    said |= {"num_return_sequences": 2, "min_length": 30, "forced_eos_token_id": 1, "temperature": 5.0}
    settings.write_text(json.dumps(said))
    assert make("paraphrase", model=folder).augment(TEXTS) == make("paraphrase").augment(TEXTS)


def test_only_words_are_replaced(make):
    texts = [
        *TEXTS,
        "  He\tsaid:  “THE  dog’s RED!” 🙂\r\n",
        "\ud800 he \udfff",
        "I don't know 42 x3 well-known things.",
    ]
    for rewrite in make("random-contextual-words", rate=0.5).rewrite(texts):
        assert (rewrite.skipped is None) == bool(rewrite.edits)
        for edit in rewrite.edits:
            old = rewrite.original[edit.start : edit.end]
            assert old[0].isalpha()
            assert old[-1].isalpha()
            assert edit.new.isalpha()
            assert edit.new.lower() != old.lower()
            assert edit.rule == "word that fits the context"


def test_words_keep_their_capitals(make):
    first = make("random-contextual-words", rate=1.0, top_k=1)
    assert first.augment(["The RED dog, I think: The House."]) == ["It IT it, it it: It It."]
    assert first.augment(["I left. It did. it did."]) == ["It it. Blue it. blue it."]


def test_language_names_are_capitalised(make, tmp_path, masked_lm):
    english = masked_lm(tmp_path, ranked=["english", "it"])
    first = make("random-contextual-words", model=english, rate=1.0, top_k=1)
    assert first.augment(["the dog and I"]) == ["English English English English"]


def test_subwords_and_numbers_are_not_candidates(make):
    words = make("random-contextual-words", rate=1.0, top_k=100)
    new = {edit.new for seed in range(20) for edit in words.with_epoch(seed).explain("zebra " * 50).edits}
    assert {"it", "blue", "English"} <= new
    assert not new & {"ing", "##ing", "7", "x", "[MASK]", "[UNK]", "."}


@pytest.mark.parametrize(("rate", "count"), [(0.01, 1), (0.15, 3), (0.5, 10), (1.0, 20)])
def test_replaces_the_given_share_of_words(make, rate, count):
    text = "the small cat and the big dog " * 2 + "left the old house early today ."
    assert len(make("random-contextual-words", rate=rate).explain(text).edits) == count


def test_words_are_drawn_by_their_probability(make):
    texts = [f"zebra {i}" for i in range(400)]
    new = [r.edits[0].new for r in make("random-contextual-words", top_k=2).rewrite(texts)]
    assert set(new) == {"it", "blue"}
    share = 1 / (1 + np.exp(-2))  # the scores are 2 apart
    assert abs(new.count("it") / 400 - share) < 4 * np.sqrt(share * (1 - share) / 400)


def test_each_word_is_masked_separately(make, monkeypatch):
    words = make("random-contextual-words", rate=1.0)
    checkpoint = load("fill-mask", words.model, "cpu", "float32")
    seen = []
    real = checkpoint.tokens
    monkeypatch.setattr(checkpoint, "tokens", lambda texts: seen.append(list(texts)) or real(texts))
    words.augment(["The big dog."])
    assert seen == [["The big dog."], ["[MASK] big dog.", "The [MASK] dog.", "The big [MASK]."]]


def test_a_text_may_contain_the_mask_token(make):
    words = make("random-contextual-words", rate=1.0, top_k=1)
    assert words.augment(["the [MASK] dog [MASK] [SEP] cat"]) == ["it [IT] it [IT] [IT] it"]


def test_reasons_to_skip_a_text(make, tmp_path, masked_lm):
    words = make("random-contextual-words")
    assert words.explain("42 !").skipped == "no word"
    assert words.explain("the " * 63).skipped == "over 64 tokens"
    assert words.explain("the " * 62).skipped is None
    assert make("random-contextual-words", max_length=6).explain("He left the dog.").skipped == "over 6 tokens"
    alone = masked_lm(tmp_path, ranked=["it"], words=())
    assert make("random-contextual-words", model=alone).explain("It").skipped == "no other word that fits"


def test_vocabularies_with_marked_word_beginnings(tmp_path):
    number = {
        t: i for i, t in enumerate(["<s>", "<pad>", "</s>", "<unk>", "<mask>", "Ġdog", "Ġcat", "dog", "s", "Ġ", "."])
    }
    tokenizer = Tokenizer(models.WordLevel(number, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    ends = [("<s>", 0), ("</s>", 2)]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=ends)
    names = {"pad_token": "<pad>", "unk_token": "<unk>", "mask_token": "<mask>"}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(tmp_path)
    config = RobertaConfig(
        vocab_size=len(number), hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8,
        max_position_embeddings=12,
    )  # fmt: skip
    model = RobertaForMaskedLM(config)
    with torch.no_grad():
        for weight in model.parameters():
            weight.zero_()
        model.lm_head.bias[number["s"]] = 9.0
    model.save_pretrained(tmp_path)
    words = RandomContextualWords(model=str(tmp_path), rate=1.0)
    assert words.augment(["Dog. cat"]) == ["Cat. dog"]
    # This table of positions has two that no token uses.
    assert len(words.explain(("dog " * 8).strip()).edits) == 1  # before other masks a space is a token of its own
    assert words.explain(("dog " * 9).strip()).skipped == "over 10 tokens"


# -- draws and batches ---------------------------------------------------------------------------


@pytest.fixture
def random_augmenters(make, random_t5, random_bert):
    return [
        Paraphrase(model=random_t5, sample=True, max_length=60),
        Paraphrase(model=random_t5, sample=True, temperature=0.5, top_p=0.8, max_length=60),
        make("paraphrase", num_beams=3),
        BackTranslation(forward=random_t5, backward=random_t5, sample=True),
        RandomContextualWords(model=random_bert, rate=0.5),
    ]


@pytest.mark.parametrize("which", range(5))
def test_results_do_not_depend_on_batches_and_order(random_augmenters, which):
    augmenter = random_augmenters[which]
    texts = [
        " ".join(TEXTS[5].split()[i % 7 : i % 7 + 1 + i % 9]) + " big" * (i % 4) for i in range(50)
    ]  # few of them change
    whole = augmenter.rewrite(texts)
    assert len({r.text for r in whole if r.skipped is None}) > 3
    assert [augmenter.rewrite([text])[0] for text in texts] == whole
    assert augmenter.rewrite(texts[::-1])[::-1] == whole
    for size in (3, 1000):
        config = augmenter.get_config_dict() | {"batch_size": size, "device": "cpu"}
        assert from_config(config).rewrite(texts) == whole


def test_seeds_and_epochs_draw_anew(random_augmenters):
    texts = [f"the {'big ' * i}dog left" for i in range(20)]
    for augmenter in (random_augmenters[0], random_augmenters[3], random_augmenters[4]):
        config = augmenter.get_config_dict()
        assert from_config(config).augment(texts) == augmenter.augment(texts)
        others = [augmenter.with_epoch(1), from_config(config | {"seed": 1}), augmenter]
        assert len({tuple(other.augment(texts)) for other in others}) == 3


def test_beam_search_does_not_depend_on_the_seed(make):
    assert make("paraphrase", seed=1).with_epoch(3).augment(TEXTS) == make("paraphrase").augment(TEXTS)


def test_samples_follow_probabilities(make):
    texts = [f"big{'!' * i}" for i in range(50)]
    sample = make("paraphrase", sample=True)
    new = [text for epoch in range(8) for text in sample.with_epoch(epoch).augment(texts)]
    large = sum(text.startswith("large") for text in new)
    assert large + sum(text.startswith("huge") for text in new) == 400
    assert 200 < large < 360
    assert all(t.startswith("large") for t in make("paraphrase", sample=True, top_p=0.1).augment(texts))
    assert all(t.startswith("large") for t in make("paraphrase", sample=True, temperature=0.01).augment(texts))


def test_searches_and_samples_with_one_number_of_each_text(random_t5):
    """Tokens are drawn with the probabilities of torch's softmax: a histogram of first tokens."""
    paraphrase = Paraphrase(model=random_t5, sample=True, max_length=20)
    checkpoint = load("seq2seq", random_t5, "cpu", "float32")
    rows = checkpoint.tokens(["the big dog"])
    with torch.inference_mode():
        start = torch.zeros(1, 1, dtype=torch.long)
        logits = checkpoint.model(**checkpoint.padded(rows), decoder_input_ids=start).logits[0, 0]
    expected = torch.softmax(logits.double(), dim=-1)
    rngs = [random.Random(i) for i in range(2000)]
    real = checkpoint.model.generate
    drawn = []

    def spy(**inputs):
        output = real(**inputs)
        drawn.extend(output[:, 1].tolist())
        return output

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoint.model, "generate", spy)
        paraphrase.edits(["the big dog"] * 2000, rngs)
    found = torch.bincount(torch.tensor(drawn), minlength=len(expected)) / 2000
    assert (found - expected).abs().max() < 0.03


def spied(monkeypatch, model):
    """The token ids and masks of each call of a model's `generate`."""
    checkpoint = load("seq2seq", model, None, "float32")
    real, seen = checkpoint.model.generate, []

    def spy(**inputs):
        seen.append((inputs["input_ids"].tolist(), inputs["attention_mask"].sum(1).tolist()))
        return real(**inputs)

    monkeypatch.setattr(checkpoint.model, "generate", spy)
    return seen


def test_texts_are_batched_by_length(make, monkeypatch):
    paraphrase = make("paraphrase", batch_size=3)
    seen = spied(monkeypatch, paraphrase.model)
    texts = [f"the {'big ' * n}dog" for n in (5, 1, 9, 3, 2, 8, 4, 7, 6, 70)]
    expected = [f"the {'large ' * n}hound" for n in (5, 1, 9, 3, 2, 8, 4, 7, 6)]
    assert paraphrase.augment(texts) == [*expected, texts[-1]]
    assert [lengths for _, lengths in seen] == [[12, 11, 10], [9, 8, 7], [6, 5, 4]]
    assert all(len(row) == max(lengths) for rows, lengths in seen for row in rows)


# -- the contract of augmenters ------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_config_pickle_and_fingerprint(make, name):
    augmenter = make(name, seed=3)
    fresh = Hasher.hash(augmenter)
    whole = augmenter.augment(TEXTS)
    config = json.loads(json.dumps(augmenter.get_config_dict()))
    assert from_config(config) == augmenter
    assert from_config(config).augment(TEXTS) == whole
    pickled = pickle.dumps(augmenter)
    assert len(pickled) < 2000
    assert pickle.loads(pickled).augment(TEXTS) == whole
    assert Hasher.hash(augmenter) == fresh == Hasher.hash(from_config(config)) != Hasher.hash(make(name, seed=4))


@pytest.mark.parametrize("name", NAMES)
def test_global_random_state_is_unchanged(make, name, monkeypatch):
    monkeypatch.setattr("sda_hf.augmentation.pretrained_models._loaded", _uncached())
    random.seed(1)
    np.random.seed(1)
    torch.manual_seed(1)
    before = random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist()
    fields = {} if name == "random-contextual-words" else {"sample": True}
    make(name, **fields).augment(TEXTS)
    assert (random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist()) == before


def _uncached():

    from sda_hf.augmentation import pretrained_models

    return pretrained_models._loaded.__wrapped__


@pytest.mark.parametrize("name", NAMES)
def test_datasets_map_in_workers(make, name):
    augmenter = make(name)
    rows = {"text": TEXTS, "id": list(range(len(TEXTS)))}
    expected = augmenter(rows)[augmenter.column]
    done = Dataset.from_dict(rows).map(augmenter, batched=True, num_proc=2)
    assert done.column_names == ["text", "id", augmenter.column]
    assert done[augmenter.column][:] == expected
    assert expected[2] == ("" if augmenter.role == "positive" else None)


@pytest.mark.slow
def test_a_forked_worker_does_not_wait_for_the_threads_of_its_parent(random_bert, tmp_path):
    code = """
import sys, torch
from datasets import Dataset
from sda_hf.augmentation.pretrained_models import load
from sda_hf.augmentation.contextual import RandomContextualWords

torch.set_num_threads(2)
torch.randn(600, 600) @ torch.randn(600, 600)
torch.randn(3_000_000).exp().sum()
words = RandomContextualWords(model=sys.argv[1])
rows = {"text": ["the big dog left the small house"] * 64}
done = Dataset.from_dict(rows).map(words, batched=True, num_proc=2)
assert done["negative"][:] == words(rows)["negative"]
"""
    command = [sys.executable, "-c", code, random_bert]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_importing_and_creating_one_does_not_load_torch():
    code = (
        "import sys; from sda_hf.augmentation import contextual, generative; "
        "generative.Paraphrase(); generative.BackTranslation().get_config_dict(); contextual.RandomContextualWords(); "
        "print(sorted({'torch', 'transformers', 'datasets', 'spacy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_model_is_loaded_once_per_process(make):
    assert load("seq2seq", make("paraphrase").model, None, "float32") is load(
        "seq2seq", make("paraphrase").model, None, "float32"
    )


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_every_dtype(make, dtype):
    assert make("paraphrase", dtype=dtype).augment(TEXTS[:2]) == ["The large hound departed soon.", "The cat slept."]
    assert make("paraphrase", dtype=dtype, sample=True).augment(TEXTS[:1]) != TEXTS[:1]
    assert make("random-contextual-words", dtype=dtype, rate=1.0, top_k=1).augment(["The dog."]) == ["It it."]
