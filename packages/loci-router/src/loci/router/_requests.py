# ruff: noqa: E501 - a pattern that is broken over lines cannot be read.
"""Questions for what every project has: what it is, what it needs, what is newest in it.

The words of such a question do not stand where its answer does: no README says "this project does", and no changelog
"the last release". So they are no evidence, and what they ask for has to be read off their grammar. A request is the
whole question, never a part of it: "what does flask do?" is one, "what does flask do with a cookie?" asks for
something of its own and is left to the words.

Everything is a closed class of wordings, by language. Whether what stands in the place of the subject is a project, the
router has to know.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

RequestKind = Literal["overview", "needs", "languages", "written_in", "holding", "release", "changes"]
Span = tuple[int, int]


OF_ALL: frozenset[RequestKind] = frozenset(["written_in", "holding"])
"""The requests that are made of all projects, and answered with a set of them."""


@dataclass(frozen=True)
class Request:
    """What a question asks of a project.

    Attributes:
        kind: "overview": what it is and what it is for. "needs": what it depends on. "languages": what it is written in.
            "release": what its newest release is, when it was or what it changed. "changes": what changed last in it.
            "written_in", "holding": which of the projects are mostly written in a language, or have files of it.
        text: The words of the question, folded.
        subject: Where the name of the project stands; None where the question points at it ("this repo", "it").
        object: Of "needs", where the name of what it may depend on stands; None where all of it is asked for.
        languages: The programming languages that are asked about, as `LANGUAGES` spells them; none: all.

    """

    kind: RequestKind
    text: str
    subject: Span | None
    object: Span | None = None
    languages: tuple[str, ...] = ()


# ---------------------------------------------------------------------------------------------------------------------
# The subject: a name, or words that point at what one stands in.

_PROJECT = (
    r"(?:project|repo|repository|code ?base|code|library|lib|package|tool|app|application|program|programme|framework|"
    r"software|system|service|server|site|website|module|crate|gem|plugin|cli|command|command line tool|thing|folder|"
    r"directory|checkout|monorepo|workspace)"
)
_PLAIN = r"(?:(?:git )?(?:project|repo|repository|code ?base)|app|application|program|tool)"
_NAME = r"[\w@][\w@./+-]*(?:(?: |-)[\w.+-]+){0,2}?"
_QUOTED = r"[\"'`]?"

_SUBJECT: dict[str, str] = {
    "en": (
        # With an article only what is never content: "the plugin" is one of many, "this plugin" is where one stands.
        rf"(?:(?P<here>(?:this|that|our|my|this whole) (?:git )?{_PROJECT}|(?:the|the current|this current|my current|the whole) {_PLAIN}|"
        r"it|this|that|here)"
        rf"|the {_QUOTED}(?P<name>{_NAME}){_QUOTED} {_PROJECT}|{_QUOTED}(?!(?:the|an?|this|that|our|my)\b)(?P<bare>{_NAME}){_QUOTED}(?: {_PROJECT})?)"
    ),
    "de": (
        r"(?:(?P<here>(?:dies(?:e[srnm]?)?|das|dem|der|die|unser(?:e[srnm]?)?) (?:ganze[nrms]? |aktuelle[nrms]? )?"
        r"(?:projekt(?:es|s)?|repo|repository|codebasis|codebase|app|anwendung|programm|tool|bibliothek|paket|verzeichnis|ordner|ding)"
        r"|es|das|dies(?:es)?|das hier|dies hier|hier)"
        rf"|(?:dem|das|des|der|die) (?:projekt(?:es|s)?|repo|repository|programm|paket|bibliothek) {_QUOTED}(?P<name>{_NAME}){_QUOTED}"
        rf"|{_QUOTED}(?P<bare>{_NAME}){_QUOTED})"
    ),
    "es": (
        r"(?:(?P<here>(?:est[ea]|es[ea]|nuestr[oa]|el|la|mi) (?:proyecto|repo|repositorio|aplicación|app|programa|herramienta|"
        r"biblioteca|paquete|directorio|carpeta|código|cosa)|esto|eso)"
        rf"|(?:el|la) (?:proyecto|repo|repositorio|biblioteca|paquete|programa|herramienta) {_QUOTED}(?P<name>{_NAME}){_QUOTED}"
        rf"|{_QUOTED}(?P<bare>{_NAME}){_QUOTED})"
    ),
    "zh": (
        r"(?:(?P<here>(?:这个|这|该|本|当前|咱们的?|我们的?)(?:项目|仓库|代码库|程序|应用|工具|库|目录|文件夹|服务|代码|东西)|它|这个?)"
        r"|(?P<bare>[a-z0-9@][\w@./+-]*?)\s?(?:这个|项目|仓库|库|工具)*)\s?"
    ),
    "ja": (
        r"(?:(?P<here>(?:この|その|当|本|現在の)(?:プロジェクト|リポジトリ|レポジトリ|コードベース|アプリ|プログラム|ツール|ライブラリ|"
        r"ディレクトリ|フォルダ|サービス|コード)|これ|それ)"
        r"|(?P<bare>[a-z0-9@][a-z0-9@./+_-]*?)\s?(?:(?:という)?(?:プロジェクト|リポジトリ|ライブラリ|ツール))?)\s?"
    ),
}

# What may stand before and after a request without asking for anything more.
_LEAD: dict[str, str] = {
    "en": (
        r"(?:(?:hey|hi|hello|ok|okay|so|and|now|please|well)[,!.]? )*(?:(?:can|could|would|will) (?:you|someone|anyone) (?:please |quickly |briefly )?|"
        r"i(?:'d like| want| need| would like) (?:to know |you to )?|do you know )?(?:please )?"
        r"(?:(?:tell|show|explain(?: to)?|remind)(?: me| us)? )?(?:briefly |quickly )?"
    ),
    "de": r"(?:(?:bitte|sag mir|erklär mir|erkläre mir|kannst du mir (?:bitte )?(?:sagen|erklären),?)[,]? )*",
    "es": r"¿?(?:(?:por favor|dime|explícame|puedes decirme)[,]? )*¿?",
    "zh": r"(?:请|请问|告诉我|能不能|可以)*[，,]?\s?",
    "ja": r"",
}
_TRAIL: dict[str, str] = {
    "en": (
        r"(?:,? (?:exactly|actually|again|anyway|really|in short|in a nutshell|in brief|in one sentence|in a few words|in general|"
        r"briefly|please|overall|here|for me|to me|all about|at all|then))*\s*[?.!…]*\s*"
    ),
    "de": r"(?:,? (?:eigentlich|genau|überhaupt|denn|bitte|kurz|hier|so))*\s*[?.!…]*\s*",
    "es": r"(?:,? (?:exactamente|por favor|en pocas palabras|en general|aquí))*\s*[?.!…]*\s*",
    "zh": r"(?:呢|啊|呀|吗)?\s*[?.!。…]*\s*",
    "ja": r"(?:か|ですか|でしょうか|ください|教えてください|を教えて(?:ください)?)*\s*[?.!。…]*\s*",
}

# ---------------------------------------------------------------------------------------------------------------------
# Overview: what a project is and what it is for. S is the place of the subject.

_OVERVIEW: dict[str, tuple[str, ...]] = {
    "en": (
        # The generic verb, the copula and the prepositions of purpose have no content.
        r"what (?:does|do|can) <S> do",
        r"what <S> (?:does|do)",
        r"what(?:'s| is| are) <S>(?: (?:all )?(?:about|for|good for|used for|meant for|meant to do|supposed to (?:do|be)))?",
        r"what <S> (?:is|are)(?: (?:all )?(?:about|for|good for|used for))?",
        r"what(?:'s| is) (?:the )?(?:main |whole )?(?:purpose|point|goal|aim|idea|job) (?:of|behind) <S>",
        r"what(?:'s| is) <S>'s (?:main )?(?:purpose|point|goal|aim|job)",
        rf"what (?:kind|sort|type) of (?:an? )?{_PROJECT} is <S>",
        r"what (?:can|do|would) (?:i|we|one|people|you) (?:do with|use) <S>(?: for)?",
        # Nouns and verbs of presenting, with the project for their object.
        r"(?:(?:give|write|show)(?: me| us)? |i need |can i (?:have|get) )?(?:an? |the |some )?(?:(?:short|quick|brief|high[- ]level|general|concise|one[- ]line|rough) )*"
        r"(?:overview|summary|introduction|intro|description|rundown|gist) (?:of|to|for|about|on|over) <S>",
        r"<S> (?:overview|summary|introduction|description)",
        r"(?:describe|introduce|summari[sz]e|explain) <S>",
        r"(?:tell me )?(?:something |more |a bit |all )?about <S>",
    ),
    "de": (
        r"was (?:macht|tut|kann|ist) <S>",
        r"was <S> (?:macht|tut|kann|ist)",
        r"(?:wofür|wozu) (?:ist|dient|braucht man|benutzt man|nutzt man) <S>(?: (?:gut|da|gedacht))?",
        r"worum geht(?:'s| es) (?:in|bei|im|beim) <S>",
        r"was ist (?:der|das) (?:zweck|ziel|sinn) (?:von |des |der )?<S>",
        r"(?:gib mir |ich brauche )?(?:ein(?:e|en)? )?(?:kurze[nr]? )?(?:überblick|übersicht|zusammenfassung|beschreibung|einführung) (?:über|von|zu|in) <S>",
        r"(?:beschreibe?|erkläre?) <S>",
    ),
    "es": (
        r"(?:qué|que) (?:hace|es) <S>",
        r"para (?:qué|que) (?:sirve|es|se usa) <S>",
        r"de (?:qué|que) (?:va|trata|se trata) <S>",
        r"cuál es (?:el|la) (?:propósito|objetivo|finalidad) de <S>",
        r"(?:dame )?(?:un |una )?(?:breve )?(?:resumen|descripción|introducción|visión general) (?:de|a|sobre) <S>",
        r"(?:describe|explica|resume) <S>",
    ),
    "zh": (
        r"<S>(?:是什么|是啥|是做什么的|是干什么的|是干嘛的|做什么|能做什么|有什么用|用来做什么|用来干什么|的(?:作用|用途|目的|功能)是什么)",
        r"什么是\s?<S>",
        r"(?:介绍|概述|描述|说明|总结)(?:一下)?\s?<S>",
    ),
    "ja": (
        r"<S>(?:とは|って|は)(?:何|なに|なん)(?:をする|のため|に使う)?(?:もの|ツール|プロジェクト)?(?:なの|なん)?",
        r"<S>(?:の|が)(?:概要|目的|用途|説明|紹介)(?:は(?:何|なに)?|を)?",
        r"<S>(?:は|が)(?:何|なに)(?:を|が)(?:する|できる|します|できます)(?:もの)?",
        r"<S>(?:を|について)(?:紹介|説明)(?:して)?",
    ),
}

# ---------------------------------------------------------------------------------------------------------------------
# Needs: a verb of dependency with the project for its subject. <O> is the place of the one thing that is asked about.

_LIBRARIES = (
    r"(?:(?:other |external |third[- ]party |python |go |rust |npm |node |java |open source |direct |runtime )*"
    r"(?:of (?:my|our|the)(?: other)? )?(?:libraries|libs|packages|dependencies|deps|requirements|modules|crates|gems|projects|repos|frameworks|tools|software|things))"
)
_ADVERB = r"(?:(?:directly|actually|still|already|really|even|itself|also) )?"

_NEEDS: dict[str, tuple[str, ...]] = {
    "en": (
        r"(?:on )?what (?:else )?(?:does|do) <S> (?:depend|rely|build)(?: (?:up)?on)?(?: top of)?",
        r"what (?:else )?(?:does|do) <S> (?:use|need|require|import|pull in|vendor|bundle)",
        r"what <S> (?:depends|relies) on",
        rf"(?:what|which|how many) {_LIBRARIES} (?:does|do|is|are) <S> {_ADVERB}(?:use|using|depend(?:ing)? (?:up)?on|need|require|have|rely(?:ing)? on|import|importing|pull in|built on|built with|made of|made with|based on)",
        rf"(?:what|which|how many) {_LIBRARIES} (?:is|are) (?:used|needed|required|imported|pulled in) (?:by|in|for) <S>",
        r"what(?:'s| is) <S> (?:built|based|made) (?:on(?: top of)?|with|of|from)",
        r"(?:(?:what|which) (?:is|are)|what're|what's|list|show|show me|name|give me|get)? ?(?:all )?(?:of )?(?:the )?(?:(?:direct|external|runtime|main|third[- ]party) )*(?:dependencies|deps|requirements|dependency list) (?:of|for|in) <S>",
        r"(?:(?:what|which) (?:is|are)|what're|what's|list|show|show me|name|give me|get)? ?(?:all )?<S>(?:'s|')? (?:(?:direct|external|runtime) )?(?:dependencies|deps|requirements)",
        rf"(?:does|do|is|are|has|did) <S> {_ADVERB}(?:use|using|depend(?:ing|ent)? (?:up)?on|need|require|import|importing|rely(?:ing)? on|pull in|vendor|bundle|built (?:up)?on(?: top of)?|built with|based on) (?:the )?<O>(?: {_PROJECT})?",
        r"(?:does|do) <S> have (?:a |any )?(?:direct )?dependency on (?:the )?<O>",
        r"is (?:the )?<O> (?:a |an )?(?:direct |optional )?(?:dependency|requirement) (?:of|for|in) <S>",
        r"is (?:the )?<O> (?:used|needed|required|imported) (?:by|in) <S>",
        r"(?:which|what) versions? of (?:the )?<O> (?:does|do|is) <S> (?:use|using|need|require|depend on|pin|want|support|allow)",
    ),
    "de": (
        r"(?:wovon|von was|von wem) hängt <S> (?:alles )?ab",
        r"(?:welche|wieviele|wie viele) (?:anderen? )?(?:bibliotheken|pakete|abhängigkeiten|module|projekte|frameworks|werkzeuge) (?:be)?(?:nutzt|verwendet|braucht|hat|benötigt|importiert) <S>",
        r"was (?:be)?(?:nutzt|verwendet|braucht|benötigt|importiert) <S>",
        r"(?:was sind |welche sind |zeige? mir |nenne? mir )?(?:die |alle )?abhängigkeiten (?:von |des |der )?<S>",
        r"(?:be)?(?:nutzt|verwendet|braucht|benötigt|importiert) <S> <O>",
        r"hängt <S> (?:direkt )?von <O> ab",
    ),
    "es": (
        r"de (?:qué|que) (?:bibliotecas |librerías |paquetes |proyectos )?depende <S>",
        r"(?:qué|que|cuáles) (?:bibliotecas|librerías|paquetes|dependencias|módulos|proyectos|herramientas) (?:usa|utiliza|tiene|necesita|requiere|importa) <S>",
        r"(?:qué|que) (?:usa|utiliza|necesita|requiere|importa) <S>",
        r"(?:cuáles son |muestra |lista )?(?:las |todas las )?dependencias de <S>",
        r"(?:usa|utiliza|necesita|requiere|importa) <S> (?:a )?<O>",
        r"(?!qu|cu)<S> (?:usa|utiliza|necesita|requiere|importa|depende de) <O>",
        r"depende <S> de <O>",
    ),
    "zh": (
        r"<S>(?:都)?(?:依赖|使用|用|用到|需要|引用)(?:了|于)?\s?(?:哪些|什么|哪个|多少)(?:库|依赖|项目|包|框架|工具|东西)?",
        r"<S>的?依赖(?:项|库|关系)?(?:有哪些|是什么|有什么|列表)?",
        r"<S>(?:有没有|是否|有)?(?:依赖|使用|用到|用|引用)(?:了|于|过)?\s?<O>(?:库|吗)?",
    ),
    "ja": (
        r"<S>(?:は|が)(?:何|なに|どの(?:ライブラリ|パッケージ|プロジェクト))(?:に依存|を使用|を使って|を利用|を必要と)(?:し|い)?(?:ている|てい|る|ます|ています|いる|います)?(?:の)?",
        r"<S>(?:の|が)(?:依存関係|依存ライブラリ|依存パッケージ|依存先)(?:は(?:何|なに)?|を)?",
        r"<S>(?:は|が)\s?<O>\s?(?:に依存|を使用|を使って|を利用)(?:し|い)?(?:ている|てい|る|ます|ています|いる|います)?(?:の)?",
    ),
}
_ONE = r"[\"'`]?(?P<object>[a-z0-9@][\w@./+-]*)[\"'`]?"

# ---------------------------------------------------------------------------------------------------------------------
# Languages. A programming language is a proper name, and being written in one is no matter of words.

LANGUAGES = {
    "c": "C", "c#": "C#", "csharp": "C#", "c++": "C++", "cpp": "C++", "clojure": "Clojure", "dart": "Dart",
    "elixir": "Elixir", "erlang": "Erlang", "f#": "F#", "go": "Go", "golang": "Go", "groovy": "Groovy",
    "haskell": "Haskell", "java": "Java", "javascript": "JavaScript", "js": "JavaScript", "julia": "Julia",
    "kotlin": "Kotlin", "lua": "Lua", "nix": "Nix", "ocaml": "OCaml", "objective-c": "Objective-C", "php": "PHP",
    "perl": "Perl", "python": "Python", "r": "R", "ruby": "Ruby", "rust": "Rust", "scala": "Scala", "shell": "Shell",
    "bash": "Shell", "svelte": "Svelte", "swift": "Swift", "typescript": "TypeScript", "ts": "TypeScript", "vue": "Vue",
    "zig": "Zig",
}  # fmt: skip
"""Programming languages as people write them, folded -> as they are called."""

_LANGUAGE = "(?:" + "|".join(re.escape(name) for name in sorted(LANGUAGES, key=len, reverse=True)) + ")"
_SEVERAL = rf"(?P<languages>{_LANGUAGE}(?:(?:,| and| or| und| oder| y| o|/|和|或|と)\s?{_LANGUAGE})*)"
_PROJECTS = r"(?:projects|repos|repositories|codebases|tools|apps|programs|packages|services|libraries)"
_WRITTEN = r"(?:written|implemented|coded|programmed|built|developed|made|done)"
_MANY = (
    rf"(?:(?:which|what|how many)(?: of (?:all )?(?:my|our|the|these))?(?: other)? (?:{_PROJECTS}|project|repo)(?: of mine| of ours| do i have| i have)?|"
    rf"(?:which|what|how many) of (?:mine|ours|them)|(?:list|show|name|find|give)(?: me)? (?:all )?(?:of )?(?:my |our |the )?{_PROJECTS}|"
    rf"(?:do|are|is|does) any(?: one)?(?: of (?:my|our|the))?(?: {_PROJECTS}| project| repo)?|what|who)"
)

_WRITTEN_IN: dict[str, tuple[str, ...]] = {
    "en": (
        rf"{_MANY}(?: that| which)?(?: is| are)?(?: all| mostly| mainly| partly| also| primarily)* {_WRITTEN} (?:in|with) <L>",
        rf"(?:which|what) of (?:my|our|the) {_PROJECTS} (?:is|are) (?:in )?<L>(?: {_PROJECTS}| code)?",
        rf"(?:(?:which|what|how many)(?: are)?|list|show|name|find)(?: me)?(?: all)?(?: of)?(?: my| our| the)? <L> (?:{_PROJECTS}|code)(?: do i have| do i own| are there| i have| of mine| there are)?",
        rf"do (?:i|we) have (?:any |a |some )?(?:<L> (?:{_PROJECTS}|project|repo|code))",
        rf"do (?:i|we) have (?:any|some)(?:thing| {_PROJECTS}| code)? (?:{_WRITTEN} )?in <L>",
    ),
    "de": (
        r"welche[rs]? (?:(?:meiner|unserer|von meinen) )?(?:projekte|projekt|repos|repositories|programme) (?:sind|ist) (?:hauptsächlich )?in <L> (?:geschrieben|programmiert|entwickelt|implementiert)",
        r"welche <L>[- ]?(?:projekte|repos|programme)(?: habe ich| gibt es)?",
    ),
    "es": (
        r"(?:cuáles de mis|qué|que|cuáles) (?:proyectos|repos|repositorios|programas) (?:están |son )?(?:escritos|hechos|programados|desarrollados) (?:en|con) <L>",
    ),
    "zh": (
        r"(?:我的?)?(?:哪些|哪个|哪几个)(?:项目|仓库|程序)?(?:是)?(?:用|使用|由)\s?<L>\s?(?:语言)?(?:写|编写|开发|实现)的?",
    ),
    "ja": (
        r"(?:私の|自分の)?(?:どの|どれ)?(?:プロジェクト|リポジトリ)?(?:が|は)\s?<L>\s?で(?:書か|実装さ|作ら)れて(?:いる|い|います|いるの)?",
    ),
}
_HOLDING: dict[str, tuple[str, ...]] = {
    "en": (
        rf"{_MANY}(?: that| which)? (?:use|uses|using|contain|contains|containing|have|has|hold|include|includes) (?:any |some )?<L>(?: code| files| source| in (?:it|them))?",
    ),
    "de": (
        r"welche[rs]? (?:(?:meiner|unserer|von meinen) )?(?:projekte|projekt|repos|repositories|programme) (?:be)?(?:nutzt|nutzen|verwenden|verwendet|enthalten|enthält|haben|hat) <L>(?:-code)?",
    ),
    "es": (
        r"(?:cuáles de mis|qué|que|cuáles) (?:proyectos|repos|repositorios|programas) (?:usan|utilizan|tienen|contienen) (?:código )?<L>",
    ),
    "zh": (r"(?:我的?)?(?:哪些|哪个|哪几个)(?:项目|仓库|程序)(?:使用|用|用到|用了|包含)(?:了)?\s?<L>(?:语言|代码)?",),
    "ja": (
        r"(?:私の|自分の)?(?:どの)(?:プロジェクト|リポジトリ)が\s?<L>\s?を(?:使っ|使用し|利用し|含ん)[てで](?:いる|い|います|いるの)?",
    ),
}
_LANGUAGES: dict[str, tuple[str, ...]] = {
    "en": (
        rf"(?:in )?(?:what|which) (?:programming )?languages? (?:is|are|was) <S> (?:mostly |mainly )?{_WRITTEN}(?: in| with)?",
        r"(?:what|which) (?:programming )?languages? (?:does|do) <S> (?:use|contain|have)",
        r"(?:what|which) (?:programming )?languages? (?:is|are) (?:used|there) (?:in|by|for) <S>",
        rf"what(?:'s| is) <S> (?:mostly |mainly )?{_WRITTEN} (?:in)",
        rf"(?:is|are|was) <S> (?:mostly |mainly |also |partly )?{_WRITTEN} in <L>",
    ),
    "de": (
        r"in welcher (?:programmier)?sprache (?:ist|wurde) <S> (?:geschrieben|programmiert|entwickelt|implementiert)",
        r"ist <S> in <L> (?:geschrieben|programmiert)",
    ),
    "es": (r"en (?:qué|que) (?:lenguaje|idioma) (?:de programación )?está (?:escrito|hecho|programado) <S>",),
    "zh": (r"<S>(?:是)?(?:用|使用)(?:什么|哪种|哪些)(?:编程)?语言(?:写|编写|开发|实现)?的?",),
    "ja": (
        r"<S>(?:は|が)(?:何|どの|なんの)(?:プログラミング)?(?:の)?(?:言語|語)で(?:書か|実装さ|作ら)れて(?:いる|い|います)?",
    ),
}

# ---------------------------------------------------------------------------------------------------------------------
# The newest. A superlative of time ranks by time, and what it ranks is what every history has: releases and commits.

_NEWEST = r"(?:last|latest|newest|most recent|recent|current)(?: (?:\d+|few|two|three|five|ten))?"
_RELEASE = rf"{_NEWEST}(?: (?:stable|official|major|minor|patch|public|published))?(?: (?:releases?|versions?|tags?|release notes|changelog(?: entry| entries)?))"
_CHANGE = rf"{_NEWEST} (?:commits?|changes?|work|developments?|activity|updates?|edits?|fix(?:es)?|merges?|pull requests?|prs?)"
# Words that ask what happened without saying anything of it.
_ASKS = (
    r"(?:(?:what|which|when|who|list|show|give|summari[sz]e|describe|name|tell|any|are there|is there|what's|is|are|was|were|has|have|had|been|did|does|"
    r"do|got|the|all|its|in|of|with|since|by|new|changed|change|changes|added|fixed|removed|deprecated|broken|broke|improved|different|happened|news|"
    r"features?|bugs?|fixes|fix|things?|stuff|went|into|came|shipped|landed|merged|made|you|me|us|date|release notes|for|to|about|and|breaking|there|any|"
    r"out|from|some|summary|overview|a) )*"
)
_DONE = r"(?: (?:made|published|released|out|tagged|cut|done|shipped|come out|change|bring|add|fix|break|remove|about|contain|include|introduce))?"

_NEWEST_RELEASE: dict[str, tuple[str, ...]] = {
    "en": (
        rf"{_ASKS}{_RELEASE}(?: (?:of|for|in|to|from|on) <S>)?{_DONE}",
        rf"{_ASKS}<S>(?:'s)? {_RELEASE}{_DONE}",
        r"what(?:'s| is| has been| was|s)? new(?: (?:in|with|at|for|about) <S>)?",
        r"when (?:was|did|has) <S> (?:been )?last (?:released?|published?|tagged|have a release|make a release|get a release)",
        r"when was the last time <S> was (?:released|published|tagged)",
        r"(?:what|which) version(?: of <S>)? is (?:the )?(?:latest|newest|current|most recent)(?: one)?",
        r"(?:what|which) version is <S>(?: (?:on|at))?(?: (?:now|currently))?",
    ),
    "de": (
        r"was (?:hat sich|ist|wurde|gab es|war)(?: alles)?(?: neues)? (?:in|bei|mit|seit) der (?:letzten|neuesten|aktuellen) (?:version|release|veröffentlichung)(?: von <S>)?(?: (?:geändert|neu|anders|hinzugefügt|behoben))*",
        r"was (?:ist|gibt es|gibt's) (?:neu|neues)(?: (?:in|bei|an) <S>)?",
        r"wann (?:war|kam|erschien) (?:das|die|der) (?:letzte|neueste|aktuelle) (?:release|version|veröffentlichung)(?: von <S>)?(?: (?:raus|heraus))?",
        r"(?:was|welche[s]?) ist die (?:neueste|aktuelle|letzte) version(?: von <S>)?",
    ),
    "es": (
        r"(?:qué|que) (?:cambió|ha cambiado|hay de nuevo|se añadió|trae)(?: en)? la última (?:versión|release|publicación)(?: de <S>)?",
        r"(?:qué|que) hay de nuevo(?: en <S>)?",
        r"(?:cuándo|cuando) (?:fue|salió|se publicó) la última (?:versión|release|publicación)(?: de <S>)?",
        r"cuál es la (?:última|más reciente) versión(?: de <S>)?",
    ),
    "zh": (r"(?:<S>的?)?(?:最新|最近|上一个|上个|最后一个)的?(?:一个)?(?:版本|发布|发行版)[\u3400-\u9fff]{0,10}",),
    "ja": (r"(?:<S>の)?(?:最新|最近|直近|前回|最後)の?(?:リリース|バージョン)[\u3040-\u30ff\u3400-\u9fff]{0,14}",),
}
_NEWEST_CHANGES: dict[str, tuple[str, ...]] = {
    "en": (
        rf"{_ASKS}{_CHANGE}(?: (?:of|for|in|to|from|on) <S>)?{_DONE}",
        rf"{_ASKS}<S>(?:'s)? {_CHANGE}",
        r"what(?:'s| is| has| have| was| did)?(?: been)? (?:changed|happened|happening|going on|done|worked on|new)(?: (?:in|to|on|with) <S>)? (?:recently|lately|most recently|last)",
        r"what(?:'s| is| has| have| was| did)?(?: been)? (?:recently|lately) (?:changed|happened|happening|done|worked on|added|fixed)(?: (?:in|to|on|with) <S>)?",
        r"when was <S> (?:last|most recently) (?:updated|changed|touched|modified|committed to|worked on)",
        r"when did (?:anyone|someone|somebody|i|we) last (?:change|touch|work on|commit to|update) <S>",
        r"who (?:last |most recently )?(?:committed to|changed|worked on|touched) <S>(?: last| most recently)",
    ),
    "de": (
        r"(?:was sind |zeige? mir |nenne? mir )?(?:die )?(?:letzten|neuesten|jüngsten)(?: \w+)? (?:commits|änderungen)(?: (?:in|von|an|bei) <S>)?",
        r"was (?:hat sich|wurde) (?:zuletzt|kürzlich)(?: (?:in|an) <S>)? geändert",
    ),
    "es": (
        r"(?:cuáles son |muestra |lista )?(?:los )?últimos(?: \w+)? (?:commits|cambios)(?: (?:de|en) <S>)?",
        r"(?:qué|que) (?:ha cambiado|cambió) (?:recientemente|últimamente)(?: en <S>)?",
    ),
    "zh": (r"(?:<S>的?)?(?:最新|最近)的?(?:几次|几个)?(?:提交|改动|变化|变更|更新)[\u3400-\u9fff]{0,8}",),
    "ja": (r"(?:<S>の)?(?:最新|最近|直近)の?(?:コミット|変更|更新)[\u3040-\u30ff\u3400-\u9fff]{0,14}",),
}


@cache
def _rows(language: str) -> list[tuple[RequestKind, re.Pattern[str]]]:
    kinds: list[tuple[RequestKind, dict[str, tuple[str, ...]]]] = [
        ("written_in", _WRITTEN_IN),
        ("holding", _HOLDING),
        ("languages", _LANGUAGES),
        ("needs", _NEEDS),
        ("changes", _NEWEST_CHANGES),
        ("release", _NEWEST_RELEASE),
        ("overview", _OVERVIEW),
    ]

    def compiled(row: str) -> re.Pattern[str]:
        return re.compile(row.replace("<S>", "(?P<subject>.{1,60}?)").replace("<O>", _ONE).replace("<L>", _SEVERAL))

    return [(kind, compiled(row)) for kind, rows in kinds for row in rows[language]]


def _languages_in(text: str) -> tuple[str, ...]:
    names = re.findall(rf"(?<![a-z]){_LANGUAGE}(?![a-z+#])", text)
    return tuple(dict.fromkeys(LANGUAGES[name] for name in names))


@cache
def _frame(language: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    return re.compile(_LEAD[language]), re.compile(rf"{_TRAIL[language]}$"), re.compile(_SUBJECT[language])


# Short questions in a language whose function words they lack: by how they begin, or by its letters.
_BEGINS = {
    "de": (
        r"\s*(?:was|wer|wo[vfzr]\w+|von w|welch|wie ?viele|gib|besch|erkl|(?:be)?nutzt|verwendet|braucht|benötigt|importiert|"
        r"hängt|zeig|nenn|die (?:letzt|neu|abh)|letzte|neueste|die abh|alle abh|abh|bitte|sag|kannst)"
    ),
    "es": r"\s*(?:que |quien|para que|de que|dame|usa |utiliza|depende|describe)|.*[¿áéíóúñ]",
}


@cache
def _begins(language: str) -> re.Pattern[str]:
    return re.compile(_BEGINS[language])


def languages_of(folded: str, language: str) -> tuple[str, ...]:
    """The languages that a short question may be in. `language`: as its script or its function words tell."""
    if language in ("zh", "ja"):
        return (language, "en")
    return ("en", *(each for each in _BEGINS if each == language or _begins(each).match(folded)))


LONGEST_REQUEST = 160
"""Characters; a longer question says more than what it asks for."""


def request_of(folded: str, language: str) -> Request | None:
    """What the folded question asks of a project, if that is all it asks. `language`: as its script or words tell."""
    if len(folded) > LONGEST_REQUEST:
        return None
    for each in languages_of(folded, language):
        found = _read(folded, each)
        if found is not None:
            return found
    # A name by itself asks no less than "what is X?".
    alone = re.fullmatch(r"\s*([a-z0-9@][\w@./+-]*)\s*[?!.]?\s*", folded, re.ASCII)
    return None if alone is None else Request("overview", alone[1], alone.span(1))


def _read(folded: str, language: str) -> Request | None:
    lead, trail, subject = _frame(language)
    begin = len(folded) - len(folded.lstrip())
    found = trail.search(folded, begin)
    end = len(folded) if found is None else found.start()
    led = lead.match(folded, begin)
    for start in dict.fromkeys([begin, begin if led is None else led.end()]):
        for kind, pattern in _rows(language):
            match = pattern.fullmatch(folded, start, end)
            if match is None:
                continue
            groups = match.groupdict()
            place = None
            if groups.get("subject") is not None:
                place = subject.fullmatch(folded, *match.span("subject"))
                if place is None:
                    continue
            named = None if place is None else next((n for n in ("name", "bare") if place.groupdict().get(n)), None)
            return Request(
                kind,
                match.group().strip(),
                None if named is None or place is None else place.span(named),
                match.span("object") if groups.get("object") is not None else None,
                _languages_in(groups.get("languages") or ""),
            )
    return None
