"""The encoder of a run: loaded by name, or built on the spot."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

import torch
from safetensors.torch import save_file
from sentence_transformers import SentenceTransformer, SentenceTransformerModelCardData
from sentence_transformers.sentence_transformer.modules import Transformer
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from sda_hf.errors import InputFileError, InputValueError, MissingPackageError
from sda_hf.training.pooling import pooling_modules
from sda_hf.training.recipe import Build, Lora, Recipe

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def make_encoder(recipe: Recipe, sentences: Iterable[str], device: str) -> SentenceTransformer:
    """Load or build the untrained encoder of a recipe.

    Randomly initialized weights depend on `training.seed` alone; the global random state is left as it was.

    Args:
        recipe: the recipe.
        sentences: texts from which the vocabulary of a built encoder is learned.
        device: the device to put it on.

    Raises:
        InputFileError: a named encoder cannot be loaded.
        InputValueError: a pooling is given for a model without tokens to pool.
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


def freeze(model: SentenceTransformer, names: Sequence[str]) -> None:
    """Exclude modules from training.

    Args:
        model: the encoder; modified in place.
        names: a part of the name of each module, between dots: "embeddings" for "0.auto_model.embeddings".

    Raises:
        InputValueError: the encoder has no such module.
    """
    parameters = dict(model.named_parameters())
    for frozen in names:
        found = [parameter for name, parameter in parameters.items() if frozen in name.split(".")]
        if not found:
            known = sorted({part for name in parameters for part in name.split(".") if not part.isdigit()})
            raise InputValueError(
                f"training.frozen: the encoder has no module {frozen!r}: known are {', '.join(known)}"
            )
        for parameter in found:
            parameter.requires_grad_(False)


def add_adapter(model: SentenceTransformer, lora: Lora, seed: int) -> None:
    """Freeze an encoder, and add a low-rank adapter to train and to save in its place.

    Args:
        model: the encoder; modified in place.
        lora: the adapter.
        seed: seed of its random weights.

    Raises:
        MissingPackageError: peft is not installed.
        InputValueError: the encoder has no Transformer, or no layer of the names given.
    """
    if find_spec("peft") is None:
        raise MissingPackageError("training.lora needs peft: pip install 'sda-hf[lora]'")
    from peft import LoraConfig, TaskType  # slow to import

    modules = list(lora.target_modules)
    config = LoraConfig(
        task_type=TaskType.FEATURE_EXTRACTION,
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=modules[0] if modules == ["all-linear"] else modules,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        try:
            model.add_adapter(config)
        except ValueError as error:
            raise InputValueError(f"training.lora: {' '.join(str(error).split())}") from error


def build(spec: Build, sentences: Iterable[str], device: str = "cpu") -> SentenceTransformer:
    """Build a BERT with random weights and a WordPiece vocabulary learned from sentences.

    Position and segment embeddings start at zero, so that the untrained encoder compares bags of words.
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
        # Not bert.save_pretrained: with several processes, only the first one would write.
        config.to_json_file(Path(folder, "config.json"))
        save_file(bert.state_dict(), Path(folder, "model.safetensors"), metadata={"format": "pt"})
        tokenizer.save_pretrained(folder)
        transformer = Transformer(folder, max_seq_length=spec.max_length)
    transformer.model.config._name_or_path = ""  # the folder no longer exists
    modules = [transformer, *pooling_modules(transformer, spec.pooling)]
    return SentenceTransformer(modules=modules, device=device, model_card_data=_card_data())


def wordpiece(sentences: Iterable[str], vocab_size: int, max_length: int) -> PreTrainedTokenizerFast:
    """Train a lower-casing WordPiece tokenizer; equal sentences give an equal vocabulary.

    The trainer numbers the characters in an order that changes from run to run, and breaks ties by these numbers. It is
    therefore given the sorted characters as reserved entries.
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
            f"model: {name!r} is neither a folder with a model nor a model that can be loaded from the Hub ({reason}); "
            "use --set model=PATH for a folder"
        ) from error
    return model if pooling is None else _pooled(model, pooling, device)


def _pooled(model: SentenceTransformer, pooling: str, device: str) -> SentenceTransformer:
    """Replace a model's pooling; modules after the old one are dropped."""
    transformer = model[0]
    if not isinstance(transformer, Transformer):
        raise InputValueError(
            f"model.pooling: the model starts with a {type(transformer).__name__}, which has no tokens to pool: "
            "remove model.pooling"
        )
    modules = [transformer, *pooling_modules(transformer, pooling)]
    return SentenceTransformer(modules=modules, device=device, model_card_data=_card_data())


def _card_data() -> SentenceTransformerModelCardData:
    """Return card data that does not query the Hub or embed examples: the run writes its own card."""
    return SentenceTransformerModelCardData(local_files_only=True, generate_widget_examples=False)
