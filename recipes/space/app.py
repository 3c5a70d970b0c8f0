"""The playground, as a Space: the same app as `sda-hf play`, for models of the Hub alone."""

from sda_hf.demo.app import page_options, playground

demo = playground(before="sentence-transformers/all-MiniLM-L6-v2", folders=False)

if __name__ == "__main__":
    demo.launch(**page_options(), max_file_size="20mb")
