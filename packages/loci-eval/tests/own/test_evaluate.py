"""Own questions: what they are made of, that their text is out of the index while they are asked, and the report."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path

import own_corpora
import pytest

from loci.core import Memory
from loci.eval import FAMILIES, Sizes, calibrate, evaluate, evaluate_index, to_json
from loci.eval.own.ask import asked_about_itself
from loci.eval.own.corpus import Corpus, OwnQuestion
from loci.eval.own.evaluate import corpus_of
from loci.eval.own.families import QUESTION_WORDS, sizes_for
from loci.eval.own.misses import explain_miss
from loci.eval.own.mix import in_the_mix
from loci.eval.own.text import render_evaluation
from loci.eval.own.texts import docstrings, headings, openings, subjects
from loci.router import Omission, Router, RoutingIndex, content_length


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory, make_repository_in_session: Callable[..., Path]) -> Memory:
    return own_corpora.repositories(tmp_path_factory.mktemp("own"), make_repository_in_session)


@pytest.fixture(scope="module")
def corpus(memory: Memory) -> Corpus:
    return corpus_of(memory)[0]


def _without(corpus: Corpus, question: OwnQuestion) -> RoutingIndex:
    """An index over the texts of the corpus that never held what is left out: the slow way, for texts alone."""
    gone = {(each.scope, each.passage): each.words for each in question.omit}
    kept: dict[str, list[str]] = {}
    for scope in corpus.index.scopes:
        if scope in question.without:
            continue
        kept[scope] = []
        numbers = corpus.index.numbers(scope)["document"]
        for passage in corpus.index.texts(scope, numbers):
            if (scope, passage.passage) not in gone:
                kept[scope].append(passage.text)
                continue
            words = gone[scope, passage.passage]
            if words is not None:
                assert words[0] == 0
                rest = passage.text
                while content_length(passage.text) - content_length(rest) < words[1]:
                    rest = rest.partition(" ")[2]
                kept[scope].append(rest)
    return RoutingIndex.from_texts(kept)


def test_a_text_is_asked_as_if_its_first_sentence_had_never_been_there() -> None:
    corpus = Corpus.of_index(own_corpora.index(topics=3, each=8))
    questions = list(openings(corpus, "orchard"))
    assert len(questions) == 8
    for question in questions:
        asked = corpus.ask(question)
        slow = Router(_without(corpus, question)).route(question.question)
        assert asked.route.confidence == pytest.approx(slow.confidence, abs=1e-9)
        assert [scope.id for scope in asked.route.trace.ranking] == [scope.id for scope in slow.trace.ranking]


def test_a_question_without_its_scope_is_asked_of_the_others_alone() -> None:
    corpus = Corpus.of_index(own_corpora.index(topics=3, each=8))
    (question, *_) = openings(corpus, "orchard")
    removed = OwnQuestion("removed_scope", question.question, without=("orchard",), words=question.words)
    measured = corpus.ask(removed).measured[question.question]
    assert sorted(measured.scopes) == ["harbour", "observatory"]
    assert dict(measured.scopes) == dict(_without(corpus, removed).measure(question.question).scopes)


def test_subjects_leave_their_commit_out(corpus: Corpus) -> None:
    questions = list(subjects(corpus, "harbour"))
    commits = corpus.index.numbers("harbour")["commit"]
    assert len(questions) == 12
    for question in questions:
        omission = question.omit[0]
        assert omission.words is None and omission.passage in commits
        (text,) = corpus.index.texts("harbour", [omission.passage])
        assert text.heading == question.question
        out = {(each.scope, each.passage) for each in question.omit}
        assert {hit[:2] for hit in corpus.index.quotes(question.question)} <= out


def test_docstrings_leave_their_sentence_out_and_their_code_in(corpus: Corpus) -> None:
    questions = list(docstrings(corpus, "harbour"))
    # Small functions share a passage, whose first docstring is asked.
    assert len(questions) == 4
    for question in questions:
        omission = question.omit[0]
        (text,) = corpus.index.texts("harbour", [omission.passage])
        assert omission.words is not None and f'"""{question.question}.' in text.text
        assert omission.words[1] - omission.words[0] == content_length(question.question) < text.words


def test_headings_leave_the_heading_out_and_their_section_in(corpus: Corpus) -> None:
    questions = list(headings(corpus, "harbour"))
    assert len(questions) == 6
    for question in questions:
        (text,) = corpus.index.texts("harbour", [question.omit[0].passage])
        assert text.heading.endswith(question.question)
        assert question.omit[0].words == (0, content_length(question.question))


def test_what_machines_write_and_upkeep_are_no_questions(tmp_path: Path, make_repository: Callable[..., Path]) -> None:
    messages = (
        "Merge pull request #12 from someone/some-long-branch-name",
        "Bump the version of serde to the newest one today",
        "Fix a typo in the comment above the parser",
        "fix(parser): refuse numbers with a leading zero again (#123)",
        "Too short",
    )
    make_repository(tmp_path / "work/one", {"a.txt": "something\n"}, *messages)
    memory = Memory.open(tmp_path / "home")
    memory.scan([tmp_path / "work"])
    memory.index()
    corpus, _ = corpus_of(memory)
    assert [q.question for q in subjects(corpus, "one")] == ["refuse numbers with a leading zero again"]


def test_what_quotes_a_subject_is_left_out_and_what_two_projects_say_is_no_question(
    tmp_path: Path, make_repository: Callable[..., Path]
) -> None:
    quoted = "Retry the failed upload twice before giving up entirely"
    shared = "Refuse numbers with a leading zero in every parser"
    make_repository(tmp_path / "work/one", {"CHANGES.md": f"# 1.0\n\n- {quoted}\n"}, "begin", quoted, shared)
    make_repository(tmp_path / "work/two", {"a.txt": "something else\n"}, "begin", shared)
    memory = Memory.open(tmp_path / "home")
    memory.scan([tmp_path / "work"])
    memory.index()
    corpus, _ = corpus_of(memory)
    (question,) = subjects(corpus, "one")
    assert question.question == quoted
    kinds = corpus.index.numbers("one")
    assert len(question.omit) == 2
    assert {kind for kind, its in kinds.items() for o in question.omit if o.passage in its} == {"document", "commit"}


def test_every_family_that_a_home_allows_is_asked_and_right_by_construction(memory: Memory) -> None:
    evaluation = evaluate(memory, sizes=Sizes(subjects=6, docstrings=6, headings=4))
    shares = {result.family.name: result.share for result in evaluation.families}
    assert set(FAMILIES) - {"openings", "ordinary_words", "shared_terms", "users_of"} <= set(shares)
    # Topics share no word, so everything with an answer is found, and nothing else is answered.
    assert {name: share.share for name, share in shares.items() if name in ("docstrings", "commit_subjects")} == {
        "docstrings": 1.0,
        "commit_subjects": 1.0,
    }
    assert (shares["off_topic"].share or 0.0) >= 0.9, "a garden and a harbour have a word or two in common"
    for name in ("nonsense", "deictic", "deictic_here", "right_place", "named"):
        assert shares[name].share == 1.0, name
    assert evaluation.estimate is not None and evaluation.estimate.top1 == 1.0
    assert evaluation.retrieval[0].hits["@10"].share == 1.0
    assert [scope.id for scope in evaluation.scopes] == ["harbour", "observatory", "orchard"]


def test_the_report_is_the_same_again_and_is_json(memory: Memory) -> None:
    sizes = Sizes(subjects=4, docstrings=4, headings=2, deictic=4, off_topic=6, nonsense=4)

    def once(seed: int) -> dict[str, object]:
        data = json.loads(json.dumps(to_json(evaluate(memory, seed=seed, sizes=sizes))))
        del data["seconds"]
        return data

    assert once(0) == once(0)
    assert list(once(0)) == [
        "corpus", "seed", "families", "estimate", "risk_coverage", "operating", "confusion", "scopes", "retrieval",
        "misses", "advice", "calibration",
    ]  # fmt: skip


def test_evaluating_leaves_the_home_as_it_is(memory: Memory) -> None:
    def state() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in sorted(memory.home.directory.rglob("*")) if path.is_file()}

    before = state()
    evaluate(memory, sizes=Sizes(1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2))
    assert state() == before


def test_a_routing_index_alone_is_measured() -> None:
    evaluation = evaluate_index(own_corpora.index(), sizes=Sizes(subjects=6, docstrings=4))
    by_name = {result.family.name: result for result in evaluation.families}
    assert by_name["openings"].share.n == 60
    assert by_name["openings"].share.share == 1.0
    assert by_name["removed_scope"].share.n == 30
    assert set(by_name["openings"].baselines) == {"merged-bm25", "prominence"}
    assert evaluation.retrieval == () and evaluation.corpus.scopes == 6
    assert "right_place" not in by_name, "no scope has a directory"


def test_scopes_that_are_alike_go_wrong_and_say_why() -> None:
    evaluation = evaluate_index(own_corpora.index(alike=True), sizes=Sizes(subjects=6, docstrings=4))
    opened = next(result for result in evaluation.families if result.family.name == "openings")
    assert opened.share.share is not None and opened.share.share < 0.6
    reasons = {miss.reason for miss in evaluation.misses if miss.family == "openings"}
    assert reasons <= {"gate", "vocabulary absent", "words apart", "two projects alike", "evidence"} and reasons
    assert evaluation.confusion and all(each.right != each.got for each in evaluation.confusion)


def test_an_empty_corpus_and_a_single_scope_are_reported_without_an_error() -> None:
    empty = evaluate_index(RoutingIndex.from_texts({}))
    assert empty.estimate is None and empty.scopes == ()
    single = evaluate_index(own_corpora.index(topics=1))
    assert any("one project" in line for line in single.advice)


def test_the_mix_weighs_kinds_and_not_questions(corpus: Corpus) -> None:
    asked = list(asked_about_itself(corpus, Sizes(subjects=8, docstrings=3, removed=2, deictic=4, off_topic=6)))
    mix = in_the_mix(asked)
    weight = sum(share for each, share in mix if not each.question.scopes)
    assert sum(share for _, share in mix) == pytest.approx(1.0)
    assert weight == pytest.approx(0.15)
    assert all(each.question.words >= QUESTION_WORDS for each, _ in mix if each.question.scopes)


def test_the_curve_of_the_mix_ends_at_the_share_that_the_weights_say(corpus: Corpus) -> None:
    sizes = Sizes(subjects=8, docstrings=3, removed=2, deictic=4, off_topic=6)
    weighted = in_the_mix(asked_about_itself(corpus, sizes))
    right = sum(share for each, share in weighted if each.question.scopes and each.best in each.question.scopes)
    evaluation = evaluate_index(corpus.index, corpus.scopes, sizes=sizes)
    last = evaluation.risk_coverage["mix"][-1]
    assert last.coverage == 1.0 and last.accuracy == pytest.approx(right, abs=1e-4)
    # 15 % of the weight is to be refused, whatever part of the questions that is.
    assert last.accuracy <= 0.85
    answerable = sum(bool(each.question.scopes) for each, _ in weighted) / len(weighted)
    assert answerable != pytest.approx(0.85, abs=0.02), "counting questions would give something else"


def test_what_the_report_and_the_calibration_call_answered_is_one_measure(memory: Memory) -> None:
    """Of the same questions at the same threshold both say the same."""
    sizes = Sizes(subjects=12, docstrings=6, headings=2, removed=6, deictic=6, off_topic=0, nonsense=0)
    calibration = calibrate(memory, sizes=sizes, max_wrong=0.2)
    corpus, _ = corpus_of(memory)
    report = evaluate_index(corpus.index, corpus.scopes, calibration.calibration, sizes=sizes)
    assert calibration.fitted_on.on == "all projects"
    assert calibration.fitted_on.outcome.answered == report.operating.answered_of_answerable
    text = render_evaluation(to_json(report))
    answered = report.operating.answered_of_answerable
    assert answered.share is not None
    assert f"{100 * answered.share:.0f} % of the questions that have an answer" in text
    assert f"with {answered.n} such questions" in text


def test_more_scopes_give_fewer_questions_each() -> None:
    few, many = sizes_for(30), sizes_for(600)
    assert few == Sizes()
    assert (many.subjects, many.docstrings, many.headings) == (1, 1, 1)
    assert many.deictic == few.deictic


def test_only_some_scopes_can_be_asked_about(corpus: Corpus) -> None:
    sizes = Sizes(2, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0)
    asked = list(asked_about_itself(corpus, sizes, only={"orchard"}))
    assert {each.question.about for each in asked if each.question.scopes} == {"orchard"}


def test_why_a_question_went_wrong() -> None:
    index = RoutingIndex.from_texts(
        {
            "billing": ["Invoices are sent monthly to the customer.", "A refund is booked against its invoice."],
            "ledger": ["Invoices are sent monthly to every customer.", "A refund is booked against its invoice again."],
            "search": ["Documents are ranked by relevance.", "The crawler reads robots rules nightly."],
        }
    )
    corpus = Corpus.of_index(index)

    def reason(text: str, right: str) -> str | None:
        miss = explain_miss(corpus.ask(OwnQuestion("commit_subjects", text, (right,), right)))
        return miss.reason if miss is not None else None

    assert reason("which crawler reads robots rules nightly", "search") is None
    assert reason("which crawler reads robots rules nightly", "billing") == "vocabulary absent"
    assert reason("how does search book refunds against the invoice", "billing") == "name trap"
    alike = {reason("invoices are sent monthly to the customer", scope) for scope in ("billing", "ledger")}
    assert "two projects alike" in alike


def test_a_word_is_called_absent_only_where_no_other_text_of_the_project_has_it() -> None:
    """Passages beyond the best hold words too; the text that a question was made from does not count."""
    words = ["semicolon", "parser", "token", "grammar", "bracket", "keyword", "literal", "operator"]
    corpus = Corpus.of_index(
        RoutingIndex.from_texts(
            {
                "harbour": ["Pilots yodel over tariffs.", *(f"One {word} in a note on pilots." for word in words)],
                "compiler": [f"Here {' '.join(words)} and yodel are together.", "Nothing else is."],
            }
        )
    )

    def why(text: str, *omit: Omission) -> tuple[str, str]:
        miss = explain_miss(corpus.ask(OwnQuestion("commit_subjects", text, ("harbour",), "harbour", omit)))
        assert miss is not None
        return miss.reason, miss.detail

    # Each stands in a passage of its own; the best three hold three of eight.
    reason, detail = why(" ".join(words))
    assert reason == "words apart"
    lacking = detail.removeprefix("the best passages of harbour lack ").removesuffix(", which others of it have")
    assert set(lacking.split(", ")) < set(words)
    out = Omission("harbour", 0)
    assert why("yodel together", out) == (
        "vocabulary absent",
        "outside the text that the question was made from, harbour nowhere has together, yodel",
    )
    # Without anything left out, the one word that nothing of it holds.
    assert why("together else yodel") == ("vocabulary absent", "harbour nowhere has else, together")


def test_what_is_left_out_must_be_there(corpus: Corpus) -> None:
    question = OwnQuestion("commit_subjects", "tide", ("harbour",), "harbour", (Omission("harbour", 10**6),))
    with pytest.raises(ValueError, match="no such passage"):
        corpus.ask(question)
    # And the mask is off again.
    assert not corpus.ask(
        OwnQuestion("commit_subjects", "quay mooring ballast", ("harbour",), "harbour")
    ).route.abstained


def test_questions_differ_with_the_seed(corpus: Corpus) -> None:
    def drawn(seed: int) -> list[str]:
        return [each.question for each in itertools.islice(subjects(corpus, "harbour", seed), 4)]

    assert drawn(0) == drawn(0) != drawn(1)
