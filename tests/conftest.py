"""Shared by all tests: nothing reaches out, and what is cached goes into a folder of the session."""

import itertools
import os
import tempfile

import pytest
from hypothesis import settings

settings.register_profile("any machine", deadline=None)  # a busy one is no failure
settings.load_profile("any machine")
CACHE = tempfile.TemporaryDirectory(prefix="sda-hf-tests-")
# Before torch or a Hugging Face library is imported: they read these at import.
os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads only slow down models as small as those of the tests
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
os.environ["HF_HOME"] = CACHE.name

# -- models made by hand: they write exactly what is said here -----------------------------------

WORDS = (
    "The A the a He She It They We he she it they we is was are in on at by of and but big small dog cat house shop "
    "street rain red old left stayed slept barked opened closed early late today again , . ! ? paraphrase :"
).split()
# A word → what is written in its place, the most probable first.
SYNONYMS = {
    "big": ["large", "huge"],
    "small": ["little"],
    "dog": ["hound"],
    "house": ["home"],
    "shop": ["store"],
    "street": ["road"],
    "left": ["departed"],
    "stayed": ["remained"],
    "closed": ["shut"],
    "early": ["soon"],
}
FRENCH = {
    "The": "Le",
    "the": "le",
    "He": "Il",
    "She": "Elle",
    "is": "est",
    "was": "était",
    "big": "grand",
    "dog": "chien",
    "cat": "chat",
    "house": "maison",
    "shop": "magasin",
    "left": "partit",
    "stayed": "resta",
    "closed": "fermé",
    "early": "tôt",
    "again": "encore",
}
BACK = {french: english for english, french in FRENCH.items()} | {
    "grand": "great",
    "maison": "home",
    "magasin": "store",
    "partit": "went",
    "resta": "remained",
    "tôt": "soon",
}
# Words of the masked model, the most probable first, wherever the mask is.
COMMON = ["it", "blue", "english", "##ing", "7", "went", "she", "x", "cat"]


def make_seq2seq(folder, synonyms=None, positions=64):
    """A BART that copies its text word by word, but for the words that have others in their place.

    Positions and words are one-hot vectors of their own; the decoder looks at the position that is its own turn.
    """
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import BartConfig, BartForConditionalGeneration, PreTrainedTokenizerFast

    synonyms = SYNONYMS if synonyms is None else synonyms
    words = itertools.chain(WORDS, synonyms, *synonyms.values())
    vocabulary = ["<pad>", "</s>", "<unk>", *dict.fromkeys(metaspaced(words))]
    number = {token: i for i, token in enumerate(vocabulary)}
    size, width = len(vocabulary), positions + len(vocabulary)
    config = BartConfig(
        vocab_size=size, d_model=width, max_position_embeddings=positions,
        encoder_layers=1, decoder_layers=1, encoder_attention_heads=1, decoder_attention_heads=1,
        encoder_ffn_dim=1, decoder_ffn_dim=1, dropout=0.0, pad_token_id=0, eos_token_id=1, bos_token_id=None,
        decoder_start_token_id=1, forced_eos_token_id=None,
    )  # fmt: skip
    model = BartForConditionalGeneration(config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.fill_(1.0 if name.endswith("norm.weight") or "layernorm_embedding.weight" in name else 0.0)
        model.model.shared.weight[:, positions:] = torch.eye(size)
        for part in (model.model.encoder, model.model.decoder):
            part.embed_positions.weight[2:, :positions] = torch.eye(positions)
        layer = model.model.decoder.layers[0]
        layer.final_layer_norm.weight.fill_(2.0)
        look = layer.encoder_attn
        turn = torch.zeros(width, width)
        turn[:positions, :positions] = torch.eye(positions)
        look.q_proj.weight.copy_(turn * width)
        look.k_proj.weight.copy_(turn)
        for token, i in number.items():
            others = [number[new] for new in metaspaced(synonyms.get(token.lstrip("▁"), []))] or [i]
            for rank, new in enumerate(others):
                look.v_proj.weight[positions + new, positions + i] = 1 - 0.05 * rank
        look.out_proj.weight.copy_(torch.eye(width) * 20)
    model.save_pretrained(folder)
    tokenizer = Tokenizer(models.WordLevel(number, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(), pre_tokenizers.Punctuation()])
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    names = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    return str(folder)


def metaspaced(words):
    return [word if not word.isalpha() else f"▁{word}" for word in words]


def make_masked_lm(folder, ranked=COMMON, words=WORDS, positions=64):
    """A BERT that reads the same words, in the same order of probability, behind every mask."""
    import torch
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = [*special, *dict.fromkeys([*ranked, *(word.lower() for word in words)])]
    number = {token: i for i, token in enumerate(vocabulary)}
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8,
        max_position_embeddings=positions,
    )  # fmt: skip
    model = BertForMaskedLM(config)
    with torch.no_grad():
        for weight in model.parameters():
            weight.zero_()
        for rank, word in enumerate(ranked):
            model.cls.predictions.bias[number[word]] = 2.0 * (len(ranked) - rank)
    model.save_pretrained(folder)
    tokenizer = Tokenizer(models.WordPiece(number, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [(token, number[token]) for token in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    tokenizer.decoder = decoders.WordPiece()
    names = {f"{token.strip('[]').lower()}_token": token for token in special}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="session")
def seq2seq():
    return make_seq2seq


@pytest.fixture(scope="session")
def masked_lm():
    return make_masked_lm


@pytest.fixture(scope="session")
def made_models(tmp_path_factory):
    """The fields that name models, by the names of the augmenters that need them."""
    folder = tmp_path_factory.mktemp("models")
    return {
        "paraphrase": {"model": make_seq2seq(folder / "paraphrase")},
        "back-translation": {
            "forward": make_seq2seq(folder / "forward", {word: [new] for word, new in FRENCH.items()}),
            "backward": make_seq2seq(folder / "backward", {word: [new] for word, new in BACK.items()}),
        },
        "random-contextual-words": {"model": make_masked_lm(folder / "masked")},
    }
