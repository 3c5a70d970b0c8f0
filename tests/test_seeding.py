import random
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from sda_hf.seeding import Stream, generator


def test_draws_are_the_same_everywhere():
    # Fixed values: a change here changes every dataset that was ever augmented.
    assert generator(0, {"name": "x", "a": [1, 2]}, "It rains.").random() == 0.6949615072985903
    code = "from sda_hf.seeding import generator; print(generator(0, {'a': [1, 2], 'name': 'x'}, 'It rains.').random())"
    done = subprocess.run([sys.executable, "-R", "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) == 0.6949615072985903


def test_every_part_of_the_key_counts():
    draws = {
        generator(*key).random()
        for key in [
            (0, {"name": "x"}, "a"),
            (1, {"name": "x"}, "a"),
            (0, {"name": "y"}, "a"),
            (0, {"name": "x"}, "b"),
            (0, {"name": "x"}, "a", 1),
        ]
    }
    assert len(draws) == 5


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_has_a_generator_and_the_global_one_is_untouched(text):
    state = random.getstate()
    stream = Stream(0, {})
    assert stream.generator(text).random() == stream.generator(text).random()
    assert random.getstate() == state
