from lintpickle.prefilter.words import Lexicon, Words
from lintpickle.program.file_index import FileIndex
from lintpickle.source.document import document_from_text


def _index(**texts: str | None) -> FileIndex:
    return FileIndex(
        {name: None if text is None else Lexicon(document_from_text(text, name)) for name, text in texts.items()}
    )


def test_files_are_found_by_their_words() -> None:
    index = _index(first="gather(rows)", second="rows = scatter()")
    assert index.candidates(Words({"gather"})) == {"first"}
    assert index.candidates(Words({"rows"})) == {"first", "second"}
    assert index.candidates(Words({"gather", "scatter"})) == {"first", "second"}
    assert index.candidates(Words({"collect"})) == frozenset()


def test_a_word_of_several_parts_needs_all_of_them() -> None:
    index = _index(first="np.random.seed(1)", second="random.choice(rows)")
    assert index.candidates(Words({"random.seed"})) == {"first"}


def test_a_part_of_a_word_is_no_word() -> None:
    assert _index(first="gathered = []").candidates(Words({"gather"})) == frozenset()


def test_files_without_a_lexicon_are_always_named() -> None:
    assert _index(first="rows = []", second=None).candidates(Words({"rows"})) == {"first", "second"}
    assert _index(first="rows = []", second=None).candidates(Words({"columns"})) == {"second"}
