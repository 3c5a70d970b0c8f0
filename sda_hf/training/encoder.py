"""The encoder of a run: loaded by name, or built on the spot."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
from safetensors.torch import save_file
from sentence_transformers import SentenceTransformer, SentenceTransformerModelCardData
from sentence_transformers.sentence_transformer.modules import Transformer
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from sda_hf.errors import InputFileError, InputValueError
from sda_hf.training.pooling import pooling_modules
from sda_hf.training.recipe import Build, Recipe

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def load_model(recipe: Recipe, sentences: Sequence[str], device: str) -> SentenceTransformer:
    """The untrained encoder of a recipe.

    Weights that have to be drawn are a function of `training.seed`; the global generators are left as they were.

    Args:
        recipe: what the run is.
        sentences: texts from which a built encoder's vocabulary is learnt.
        device: where the encoder goes.

    Raises:
        InputFileError: a named encoder is not there.
    """
    with torch.random.fork_rng():
        torch.manual_seed(recipe.training.seed)
        if isinstance(recipe.model, str):
            model = _named(recipe.model, device)
        elif recipe.model.build is not None:
            model = build(recipe.model.build, sentences, device)
        else:
            model = _named(str(recipe.model.name), device, recipe.model.pooling)
    if recipe.training.max_length is not None:
        model.max_seq_length = recipe.training.max_length
    return model


def build(spec: Build, sentences: Iterable[str], device: str = "cpu") -> SentenceTransformer:
    """A BERT with random weights and a WordPiece vocabulary learnt from sentences.

    Positions and segments start at zero, so that the untrained encoder compares which words two sentences hold.
    """
    tokenizer = wordpiece(sentences, spec.vocab_size, spec.max_length)
    config = BertConfig(
        vocab_size=len(tokenizer),
        num_hidden_layers=spec.layers,
        hidden_size=spec.hidden_size,
        num_attention_heads=spec.heads,
        intermediate_size=spec.intermediate_size,
        max_position_embeddings=spec.max_length,
        hidden_dropout_prob=spec.dropout,
        attention_probs_dropout_prob=spec.dropout,
        pad_token_id=tokenizer.pad_token_id,
    )
    with tempfile.TemporaryDirectory() as folder:
        bert = BertModel(config)
        torch.nn.init.zeros_(bert.embeddings.position_embeddings.weight)
        torch.nn.init.zeros_(bert.embeddings.token_type_embeddings.weight)
        # Not bert.save_pretrained: of several processes, it writes in the first one alone.
        config.to_json_file(Path(folder, "config.json"))
        save_file(bert.state_dict(), Path(folder, "model.safetensors"), metadata={"format": "pt"})
        tokenizer.save_pretrained(folder)
        transformer = Transformer(folder, max_seq_length=spec.max_length)
    transformer.model.config._name_or_path = ""  # the folder is gone
    modules = [transformer, *pooling_modules(transformer, spec.pooling)]
    return SentenceTransformer(modules=modules, device=device, model_card_data=_card_data())


def wordpiece(sentences: Iterable[str], vocab_size: int, max_length: int) -> PreTrainedTokenizerFast:
    """A lower-casing WordPiece tokenizer; equal sentences give an equal vocabulary.

    The trainer numbers characters in an order that changes from run to run, and breaks ties by these numbers, unless
    they are given to it: here they go in as reserved entries, sorted.
    """
    tokenizer = _tokenizer(models.WordPiece(unk_token="[UNK]"))
    texts = list(sentences)
    words: Counter[str] = Counter()
    for text in texts:
        normal = tokenizer.normalizer.normalize_str(text)
        words.update(word for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(normal))
    heads = sorted({word[0] for word in words})
    tails = sorted({f"##{letter}" for word in words for letter in word[1:]})
    reserved = [*SPECIAL, *heads, *tails]
    trainer = trainers.WordPieceTrainer(
        vocab_size=max(vocab_size, len(reserved)), min_frequency=2, special_tokens=reserved, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    trained = _tokenizer(models.WordPiece(vocab=tokenizer.get_vocab(), unk_token="[UNK]"))
    ends = [(token, trained.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
    trained.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ends
    )
    names = {f"{token.strip('[]').lower()}_token": token for token in SPECIAL}
    return PreTrainedTokenizerFast(tokenizer_object=trained, model_max_length=max_length, **names)


def _tokenizer(model: models.WordPiece) -> Tokenizer:
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def _named(name: str, device: str, pooling: str | None = None) -> SentenceTransformer:
    try:
        model = SentenceTransformer(name, device=device, model_card_data=_card_data())
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputFileError(
            f"model: {name!r} is neither a folder with a model nor one that the Hub gives ({reason}); "
            "a folder is given with --set model=PATH"
        ) from error
    return model if pooling is None else _pooled(model, pooling, device)


def _pooled(model: SentenceTransformer, pooling: str, device: str) -> SentenceTransformer:
    """The encoder of a model with another pooling; what stood behind its old one goes."""
    transformer = model[0]
    if not isinstance(transformer, Transformer):
        raise InputValueError(
            f"model.pooling: the model begins with a {type(transformer).__name__}, which has no tokens to pool: "
            "leave pooling out"
        )
    modules = [transformer, *pooling_modules(transformer, pooling)]
    return SentenceTransformer(modules=modules, device=device, model_card_data=_card_data())


def _card_data() -> SentenceTransformerModelCardData:
    """Card data that looks nothing up on the Hub and embeds no examples: the run writes its own card."""
    return SentenceTransformerModelCardData(local_files_only=True, generate_widget_examples=False)
