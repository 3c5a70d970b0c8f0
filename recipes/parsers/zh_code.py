"""What `spacy train --code` needs for the Chinese pipeline."""

import sda_hf.grammar.chinese.pipes  # noqa: F401 - registers with spaCy
