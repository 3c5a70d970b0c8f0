"""A SentenceTransformer with two small BERT layers and random weights, built here: nothing is downloaded."""

from __future__ import annotations

import copy

import pytest
import torch
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

ROWS = [
    ("the cat can sleep here", "the cat sleeps here", "the cat does not sleep here"),
    ("a dog may bark at night", "a dog barks at night", "a dog does not bark at night"),
    ("we must read the book", "we read the book", "we do not read the book"),
    ("they could win the game", "they win the game", "they do not win the game"),
    ("rain will fall today", "rain falls today", "rain does not fall today"),
    ("she should call home", "she calls home", "she does not call home"),
    ("birds can fly south", "birds fly south", "birds do not fly south"),
    ("it may snow in spring", "it snows in spring", "it does not snow in spring"),
]


@pytest.fixture(scope="session")
def _made_once(tmp_path_factory):
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    words = sorted({word for row in ROWS for sentence in row for word in sentence.split()})
    vocabulary = {token: number for number, token in enumerate([*special.values(), *words])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(token, vocabulary[token]) for token in ("[CLS]", "[SEP]")]
    )
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=32,
    )
    folder = tmp_path_factory.mktemp("tiny-bert")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        BertModel(config).save_pretrained(folder)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=32, **special).save_pretrained(folder)
    return SentenceTransformer(str(folder), device="cpu")


@pytest.fixture
def model(_made_once):
    """A fresh copy in training mode."""
    return copy.deepcopy(_made_once).train()


@pytest.fixture
def rows():
    """Eight rows of anchor, positive and negation."""
    return ROWS
