"""Which relations a question asks for, and the words that look like one and ask for none."""

from __future__ import annotations

import pytest

from loci.router import read

ASKED = {
    # callers: a subject question, whose verb has no auxiliary before it
    "who calls that code when a view fails?": ["callers"],
    "who calls Session.close?": ["callers"],
    "what calls into the scheduler?": ["callers"],
    "who's calling the flush?": ["callers"],
    "what triggers a rebuild of the catalog?": ["callers"],
    "which response helpers all funnel into the one method that sets the length?": ["callers"],
    "which commands go through it?": ["callers"],
    "what else goes through the lookup of templates?": ["callers"],
    "where is it decided whether a dump goes through a pager?": ["callers"],
    "which commands end up walking the snapshots?": ["callers"],
    "which operations recompute the labels of a note?": ["callers"],
    "which tools reuse the copying class?": ["callers"],
    "what uses the retry helper?": ["callers"],
    "which callers depend on it?": ["callers"],
    "which two places call it?": ["callers"],
    "where's the list built, and who appends to it?": ["callers"],
    "list the call sites of the redirect": ["callers"],
    "where is the redirect called?": ["callers"],
    "where is retry used?": ["callers"],
    "by whom is the flush triggered?": ["callers"],
    "what is affected when a fingerprint is computed another way?": ["callers"],
    "if I change how the key is made, what else breaks?": ["callers"],
    "what breaks if we change the order of the steps?": ["callers"],
    "what is the blast radius of changing the scheduler?": ["callers"],
    "wer ruft das auf?": ["callers"],
    "wo überall wird der Zwischenspeicher benutzt?": ["callers"],
    "was hängt alles davon ab?": ["callers"],
    "¿quién llama a ese código?": ["callers"],
    "¿dónde se usa la caché?": ["callers"],
    "谁调用了这段代码？": ["callers"],
    "这个函数被哪些地方调用？": ["callers"],
    "この処理はどこから呼ばれていますか": ["callers"],
    "変更すると影響を受けるのはどこ？": ["callers"],
    # callees: an object question
    "what does Session.close call?": ["callees"],
    "what does it call when a view fails?": ["callees"],
    "which functions does the scheduler invoke?": ["callees"],
    "what do the update operators compile down to?": ["callees"],
    "what could the handler depend on?": ["callees"],
    "which stages run, and in what order?": ["callees"],
    "in which order are my aliases loaded?": ["callees"],
    "what is called by the scheduler at night?": ["callees"],
    "in welcher Reihenfolge läuft das?": ["callees"],
    "¿en qué orden se cargan los alias?": ["callees"],
    "它按什么顺序执行？": ["callees"],
    "どの順番で実行されますか": ["callees"],
    # implementers
    "which classes implement Store?": ["implementers"],
    "which backends implement caching?": ["implementers"],
    "what implements the interface for storage?": ["implementers"],
    "which types satisfy the trait?": ["implementers"],
    "what overrides the render method?": ["implementers"],
    "who extends the base class?": ["implementers"],
    "what are the subclasses of the widget?": ["implementers"],
    "which kinds of sinks are there?": ["implementers"],
    "welche Klassen erben von der Basis?": ["implementers"],
    "¿qué clases implementan la interfaz?": ["implementers"],
    "哪些类实现了这个接口？": ["implementers"],
    "どのクラスがこのインターフェースを実装していますか": ["implementers"],
    # importers
    "who imports the settings module?": ["importers"],
    "which files import it?": ["importers"],
    "where is the compat module imported?": ["importers"],
    "which headers include it?": ["importers"],
    "how does it walk up its importers?": ["importers"],
    "welche Dateien importieren das?": ["importers"],
    "¿qué módulos importan los ajustes?": ["importers"],
    "哪些文件导入了它？": ["importers"],
    "どのモジュールがこれをインポートしていますか": ["importers"],
    # tests
    "which tests cover redirects?": ["tests"],
    "are there tests for redirects?": ["tests"],
    "is the redirect tested?": ["tests"],
    "how is the parser tested?": ["tests"],
    "is it covered by a unit test?": ["tests"],
    "what tests the parser?": ["tests"],
    "how do the tests start a server?": ["tests"],
    "welche Tests prüfen das?": ["tests"],
    "¿hay pruebas para los redireccionamientos?": ["tests"],
    "有没有测试覆盖重定向？": ["tests"],
    "どのテストがこれを確認しますか": ["tests"],
    # several
    "which classes implement Store, and who calls Store.get?": ["callers", "implementers"],
    "which function walks up its importers, and who calls it?": ["callers", "importers"],
}

NONE = [
    # Words that hold the letters of another one.
    "an important question about cookies",
    "how do I import a CSV file?",
    "does the import of contacts keep duplicates?",
    "is the latest contest open?",
    "what is the protest about?",
    "recall the last release",
    "what are the requirements for a user extension?",
    "why is it extended precision?",
    # The verb of a definition, of people or of things that are no code.
    "where is retry implemented?",
    "how is the retry implemented?",
    "where is the implementation of the cache?",
    "who implemented this?",
    "which option extends the deadline?",
    "what extends the session by an hour?",
    "which flag overrides the colour?",
    "what overrides the default?",
    "which setting implements the new policy?",
    # An auxiliary, and nothing that is called.
    "what does X",
    "what could X",
    "what does X do?",
    "what does the parser do with comments?",
    "what would happen at midnight?",
    "what could go wrong with the cache?",
    "what happens when the key was lost?",
    "what else do I have to set?",
    # Nouns.
    "which use case is this for?",
    "what is the use case of the cache?",
    "which calls are slow?",
    "what is the option called that turns colours off?",
    "does it return the error to the caller?",
    "what is a conference call?",
    # Tests that are none, and environments.
    "should we test the waters first?",
    "which test environment do we have?",
    "how long did the load test take?",
    "a test of patience",
    "is it covered by the licence?",
    "does it stand the test of time?",
    # Where, why and when.
    "where is it decided which transport handles a URL?",
    "why was the queue renamed?",
    "how does a job go through the queue?",
    "which function starts the new apps?",
    "in order to start it, what do I install?",
    # Other languages.
    "was ist an dieser Frage wichtig?",
    "wo ist der Wiederholungsversuch implementiert?",
    "wie importiert man eine CSV-Datei?",
    "¿por qué importa el orden de los campos?",
    "¿dónde está implementado el reintento?",
    "¿cómo se llama la opción que quita los colores?",
    "一个重要的问题",
    "重试在哪里实现？",
    "哪些测试环境可以用？",
    "リトライはどこで実装されていますか",
    "重要な質問です",
]


@pytest.mark.parametrize("question", ASKED)
def test_the_relation_that_a_person_means(question: str) -> None:
    assert sorted(read(question).asked_relations) == ASKED[question]


@pytest.mark.parametrize("question", NONE)
def test_what_only_looks_like_a_relation(question: str) -> None:
    assert sorted(read(question).asked_relations) == []


def test_what_is_asked_of_a_name_is_asked_for() -> None:
    assert read("what would a change of Cart.pay reach?").asked_relations == {"callers"}
    assert read("does anybody use Cart.pay?").asked_relations == {"callers"}
    assert "relations " not in read("who calls Cart.pay?").describe()
    assert "relations       callers" in read("which commands go through it?").describe()
