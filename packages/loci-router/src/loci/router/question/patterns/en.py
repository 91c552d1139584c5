# ruff: noqa: E501 - a pattern that is broken over lines cannot be read.
"""English."""

from __future__ import annotations

from ..text import words
from . import PROJECT_NAME, QUOTE, Patterns, Pronouns

# ---------------------------------------------------------------------------------------------------------------------
# Nouns that mean "one of my projects".

# These say nothing but "project": asking for them in the plural asks for a set of projects.
_FRAME_SINGULAR = r"(?:project|repo|repository|codebase|code ?base|git repo|git repository)"
_FRAME_PLURAL = r"(?:projects|repos|repositories|codebases|code ?bases|git repos|git repositories)"
# These are also content ("the service restarts", "a package is resolved"); they mean projects only when the sentence
# marks them as the speaker's possessions.
_OWNED_PLURAL = (
    r"(?:apps|applications|programs|programmes|tools|packages|services|libraries|libs|sites|websites|servers|scripts|"
    r"binaries|clis|plugins|bots|games|products|things|crates|modules|tuis|apis|backends|frontends|clients|daemons)"
)
_OWNED_SINGULAR = (
    r"(?:app|application|program|programme|tool|package|service|library|lib|site|website|server|script|binary|cli|"
    r"plugin|bot|game|product|thing|crate|module)"
)
_MINE = r"(?:my|our)"
_ANY_FRAME = rf"(?:{_FRAME_PLURAL}|{_FRAME_SINGULAR})"
_FILLER = r"(?:[\w+#./-]+ ){0,3}"  # modifiers between determiner and noun: "my open source Go projects"

# ---------------------------------------------------------------------------------------------------------------------
# Deixis. The question points at a subject outside itself.

_DEICTIC_NOUN = (
    rf"(?:{_ANY_FRAME}|{_OWNED_SINGULAR}|code|folder|directory|dir|workspace|source|sources|source code|source tree|tree|"
    r"checkout|monorepo|stack|system|software|place|branch|commit)"
)
# A demonstrative or definite determiner with a noun that only says "what we are in": identifiable to speaker and hearer
# by the situation alone. Nouns that are content elsewhere ("the service", "the package") need a demonstrative.
_DEICTIC_NP = [
    rf"\b(?:this|our|my current|the current|the whole|the entire|this whole) (?:current |entire |whole |particular )?{_DEICTIC_NOUN}\b"
    r"(?!['-]?\w)",
    # Completed by a restrictive modifier ("the program in a pane", "the app that ...") it is described, not pointed at.
    r"\bthe (?:project|repo|codebase|code base|app|application|program|tool)\b(?!['-]?\w)(?! \w+ (?:called|named)\b)"
    r"(?! (?:of|in an?|with|that|which|whose|where|for an?|called|named)\b)",
]
# Adverbs of place point at where the speaker is.
_DEICTIC_PLACE = [r"\b(?:in|over|around|right|from|up|down) here\b", r"\bhere\b(?!'s)"]
# The speaker's own group as possessor or agent: "our dependencies", "what were we doing".
_DEICTIC_PERSON = [r"\b(?:our|us)\b", r"\bwe\b"]
# Shared memory without content: the subject is in a past conversation.
_DEICTIC_MEMORY = [r"\b(?:remind me|where (?:did|were) (?:i|we)|left off|last (?:time|week|session)|yesterday)\b"]
# Every project has versions: nothing but one says as much as "the last release". Only the whole question counts.
_DEICTIC_VERSION = [
    r"^\W*(?:so |and |ok |please )*(?:what(?:'s|’s)?|which|is there|was there|show|list|tell me)\b(?: \w+){0,5}? (?:in|with|since|of|for|about)"
    r" (?:the )?(?:version |release )?v?\d+(?:\.\d+)+\W*$"
]

# Words that cannot be the noun an antecedent consists of.
_NOT_NOUNS = words(
    """a an the this that these those my our your his her its their some any each every no which what whose who whom where
    when why how if whether while until unless because although though since so than as of in on at by for from to into
    onto with without within inside outside over under about after before between through during per via against and or
    but nor not never also only just even still already again yet then there here i we you he she it they me us him them
    is are was were be been being am do does did done doing have has had having can could will would shall should may
    might must get gets got getting let lets make makes made go goes going went happen happens there's it's what's
    can't cannot don't doesn't didn't won't isn't aren't wasn't please tell explain show remind know first last next
    exactly actually really currently now today always ever once up down out off back away keep keeps start starts
    started work works run runs use uses used look looks come comes take takes first"""
)
_DETERMINERS = frozenset(["a", "an", "the", "each", "every", "one", "another", "some", "any", "my", "no"])
_AUXILIARIES = words(
    """is are was were be been am do does did have has had can could will would shall should may might must isn't aren't
    wasn't weren't doesn't don't didn't can't couldn't won't wouldn't shouldn't needs need happens works means"""
)
_PREPOSITIONS = words(
    """of in on at by for from to into onto with without within inside outside over under about after before between
    through during per via against like than"""
)
# "is it possible to", "does it matter", "it takes": the expletive subject stands for the clause that follows.
_EXPLETIVE = (
    r"\b(?:is|was|would|will|isn't|wouldn't)(?: be)? it(?: be)? (?:\w+ly )?(?:possible|necessary|worth|safe|ok|okay|fine|"
    r"better|best|enough|easy|hard|faster|wise|allowed|legal|normal|true|likely|required|recommended|me|just me|that)\b"
    r"|\b(?:does|did|will|would|doesn't) it (?:matter|make sense|take|help|hurt|pay)\b"
    r"|\bit(?:'s| is| was| would be| seems| turns out| looks)(?: \w+ly)? (?:possible|necessary|worth|better|best|that|like|"
    r"as if|required|recommended|likely)\b"
    # "where is it decided that ...": the passive with a clause for its logical subject.
    r"|\b(?:is|was|isn't|wasn't|gets?) it (?:\w+ )?\w+(?:ed|en|own|id|ught) (?:that|whether|which|what|how|why|when|where|if|who)\b"
    r"|\b(?:make|makes|made|making|find|found) it (?:possible|easy|easier|hard|harder|impossible|safe)\b|\bhow come it\b"
)

# ---------------------------------------------------------------------------------------------------------------------
# Instrument. An imperative to the hearer that names a tool and a verb of inquiry.

_INQUIRY = (
    r"(?:tell|find|find out|show|look|look up|search|explain|check|answer|list|figure out|see|ask|say|give|summari[sz]e|"
    r"recall|remember|get|help|work out|lookup|query|grep|dig|locate|inspect|investigate|understand)"
)
_INSTRUMENT_START = (
    r"(?:^|[.!?,;:] ?)(?:(?:hey|hi|ok|okay|please|now|so|and)[, ]+)*(?:(?:can|could|would|will) you (?:please )?|"
    r"i(?:'d like| want| need) you to |go (?:and )?|let's |just )?"
)

# ---------------------------------------------------------------------------------------------------------------------
# Relations between projects. A verb of dependency with a project on both sides.

_USE = (
    r"(?:uses?|using|depends? (?:up)?on|depending on|imports?|importing|relies on|rely on|requires?|vendors?|embeds?|"
    r"bundles?|consumes?|calls? into|builds? on(?: top of)?|is built on|are built on|links? (?:to|against)|pulls? in|wraps?)"
)
_OTHER = (
    rf"(?:each other|one another|another(?: one)?(?: of (?:my|our) \w+| {_FRAME_SINGULAR})?|"
    rf"(?:any )?other(?:s| {_FRAME_PLURAL})?(?: of mine)?|(?:another|one|any|some)(?: other)? of (?:my|our)(?: other)? (?:own )?{_FRAME_PLURAL}|"
    rf"(?:my|our) other {_FRAME_PLURAL})"
)
_SUBJECT = r"(?P<subject>[\w@][\w@./+-]*(?: [\w.+-]+)??)"
_SUBJECT_END = (
    r"(?=\s*(?:[?.!,;:]|$)|'|\s(?:internally|directly|as a dependency|as (?:a )?library|in (?:production|any|my|their)|"
    rf"somewhere|anywhere|today|at all|and|or|{_FRAME_SINGULAR}|library|package)\b)"
)
_WHO = (
    rf"(?:(?:which|what|how many)(?: other| else)?(?: of (?:my|our)(?: \w+){{0,2}} {_FRAME_PLURAL}| (?:\w+ )?{_ANY_FRAME}(?: of mine)?)|"
    rf"(?:any|all|each|every)(?: of)? (?:my|our) (?:other )?{_FRAME_PLURAL}|who(?: else)?|what(?: else)?|anything(?: of mine)?|"
    rf"(?:my|our)(?: other)? {_FRAME_PLURAL}|any {_FRAME_SINGULAR})"
)
_BREAK = r"(?:(?:would|will|could|might|can) )?(?:breaks?|be broken|be affected|is affected|are affected)"

# ---------------------------------------------------------------------------------------------------------------------
# Requests.

_PROJECT = (
    r"(?:project|repo|repository|code ?base|code|library|lib|package|tool|app|application|program|programme|framework|"
    r"software|system|service|server|site|website|module|crate|gem|plugin|cli|command|command line tool|thing|folder|"
    r"directory|checkout|monorepo|workspace)"
)
_PLAIN = r"(?:(?:git )?(?:project|repo|repository|code ?base)|app|application|program|tool)"
_LIBRARIES = (
    r"(?:(?:other |external |third[- ]party |python |go |rust |npm |node |java |open source |direct |runtime )*"
    r"(?:of (?:my|our|the)(?: other)? )?(?:libraries|libs|packages|dependencies|deps|requirements|modules|crates|gems|projects|repos|frameworks|tools|software|things))"
)
_ADVERB = r"(?:(?:directly|actually|still|already|really|even|itself|also) )?"
_PROJECTS = r"(?:projects|repos|repositories|codebases|tools|apps|programs|packages|services|libraries)"
_WRITTEN = r"(?:written|implemented|coded|programmed|built|developed|made|done)"
_MANY = (
    rf"(?:(?:which|what|how many)(?: of (?:all )?(?:my|our|the|these))?(?: other)? (?:{_PROJECTS}|project|repo)(?: of mine| of ours| do i have| i have)?|"
    rf"(?:which|what|how many) of (?:mine|ours|them)|(?:list|show|name|find|give)(?: me)? (?:all )?(?:of )?(?:my |our |the )?{_PROJECTS}|"
    rf"(?:do|are|is|does) any(?: one)?(?: of (?:my|our|the))?(?: {_PROJECTS}| project| repo)?|what|who)"
)

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

# ---------------------------------------------------------------------------------------------------------------------
# Relations of symbols.

_IS = r"(?:'s|\u2019s|\s+(?:is|are|was|does|do|did|gets?))"
_SOME = (
    r"(?:who|what|which|where|every(?:thing|one|body)|any(?:thing|one|body)|some(?:thing|one)|functions?|methods?|places?)"
    r"(?:'s|\u2019s)?"
)
_BETWEEN = r"(?:\s+(?!(?:do|does|did|is|are|was)\b)\w+){0,3}?"
_HOW = r"(?:(?:still|ever|even|actually|currently|really|also|else|being|directly|\w+ly)\s+)*"
_TO_CHANGE = r"(?:chang|modify|edit|remov|renam|delet|drop|break|touch|refactor|replac|mov|inlin)(?:e|es|ing|ed)?"
_SOMETHING_OF = (
    r"(?:(?:what|how|where|when|whether)\s+|(?:the|its)\s+(?:\w+\s+){1,2}(?:of|in)\s+"
    r"|(?:an?|another|one)\s+(?:\w+\s+){1,2}(?:to|of|from)\s+)?"
)
_DOES = (
    r"(?:calls?|calling|invok(?:es?|ing)|use[sd]?|using|trigger(?:s|ing)?|execut(?:es?|ing)|runs?|running|needs?"
    r"|references?|instantiates?|constructs?)"
)
_DONE_TO = r"(?:called|invoked|used|triggered|executed|run|needed|referenced|instantiated|constructed)"
# Relations that are asked for without a name.
_AUXILIARY = r"(?:do|does|did|is|are|was|were|can|could|would|will|should|shall|may|might|must|has|have|had)"
# Who does something: before the verb stands no auxiliary, except for "is calling".
_AGENT = rf"\b(?:who|what|(?:what|which)(?: (?!{_AUXILIARY}\b)[\w'-]+){{1,4}}?)(?: else)?(?:'s| is| are)?"
_OFTEN = r"(?:(?:\w+ly|still|also|all|ever|even|always) )*"
_CALLS = (
    rf"(?:(?:calls?|calling|invok(?:es?|ing)|trigger(?:s|ing)?|reuses?|references?|instantiates?|uses)(?! {_AUXILIARY}\b)"
    r"|(?:depends?|relies|rely) (?:up)?on|(?:goes|go|going|pass(?:es)?|runs?|comes?) through|funnels? (?:in)?to|ends? up \w+"
    r"|use (?:it|this|that|the|these|those|them|an?|our|my|its)"
    r"|(?:writes?|appends?|adds?|sends?|pass(?:es)?|hands?) (?:\w+ )?(?:in)?to (?:it|this|that|the|them))\b"
)
# What is done from outside, by a person or another program: it is answered by what leads there.
_FROM_OUTSIDE = r"(?:operations|commands|subcommands|tools|callers|places|code ?paths|entry ?points|actions|endpoints|routes|handlers|jobs)"
_REWRITE = r"(?:change|modify|edit|refactor|rewrite|touch)"
_KIND = (
    r"(?:class(?:es)?|types?|structs?|interfaces?|traits?|protocols?|enums?|backends?|drivers?|adapters?|providers?|components?|"
    r"handlers?|plugins?|models?|views?|widgets?|stores?|objects?)"
)
_INHERITS = (
    r"(?:implements?|extends?|overrides?|subclass(?:es)?|inherits? from|derives? from|satisf(?:y|ies)|conforms? to)"
)
_INHERITING = (
    r"(?:implement(?:s|ing)?|extend(?:s|ing)?|overrid(?:es?|ing)|subclass(?:es)?|satisf(?:y|ies)|conforms?\s+to|"
    r"(?:inherit(?:s|ing|ed)?|deriv(?:es?|ing|ed)|descend(?:s|ing|ed)?|subclassed|made)\s+from)"
)
_INHERITING_BEGINS = "implement extend overrid subclass satisf conform inherit deriv descend made"
_TESTS = r"(?:test cases|test suites?|tests?|specs)"
_CHECK = r"(?:cover|exercis|check|call|us|assert|verif|fail|break|prov|guard)(?:s|es|e|ing|y|ies)?"

_PAST = r"(?:\W+\w+){0,2}?\W+(?:did|was|were|had|has|have)(?:n't)?\b"

PATTERNS = Patterns(
    instrument=(
        rf"{_INSTRUMENT_START}(?:please )?use (?:the )?(?P<tool>[\w.-]+)(?: (?:tool|mcp|server|skill|memory|index))* "
        rf"(?:to|and) (?:please )?{_INQUIRY}(?: out| up)?(?: (?:me|us|for))?\b:?",
        rf"{_INSTRUMENT_START}ask (?:the )?(?P<tool>loci)(?: (?:whether|if|about|for|to {_INQUIRY}(?: me)?))?\b[:,]?",
        rf"{_INSTRUMENT_START}(?P<tool>loci)\s?[:,]|{_INSTRUMENT_START}let (?P<tool2>loci) {_INQUIRY}(?: me)?\b",
        rf"{_INSTRUMENT_START}(?:can|could|would) (?P<tool>loci) (?:please )?{_INQUIRY}(?: me| us)?\b",
        r"\b(?:with|using|via|through|in|from|according to|per) (?:the )?(?P<tool>loci)"
        r"(?: (?:index|memory|mcp|tool|skill|server))*(?=\s*(?:[,:;.?!]|$))",
        rf"{_INSTRUMENT_START}(?:{_INQUIRY}) (?:it |this |me )?(?:up )?(?:in|with|via) (?:the )?(?P<tool>loci)\b[:,]?",
    ),
    enumeration=(
        # Interrogative determiner + plural frame noun: the wh-word ranges over projects.
        rf"\b(?:which|what|how many) (?:[\w+#./-]+ )?{_FRAME_PLURAL}\b",
        rf"\b(?:which|how many|what) (?:ones? )?of (?:all |the )*(?:{_MINE}|these|those|the) {_FILLER}"
        rf"(?:{_FRAME_PLURAL}|{_OWNED_PLURAL}|stuff|code)\b",
        rf"\bwhich (?:[\w+#./-]+ )?{_FRAME_PLURAL} of (?:mine|ours)\b",
        rf"\b(?:which|what) (?:other|else) {_ANY_FRAME}\b",
        # Quantifier + possessive + plural: the quantifier ranges over the speaker's projects.
        rf"\b(?:any|all|each|every one|every|some|most|many|none|one|either|both|several|two|three)(?: of)? {_MINE} "
        rf"{_FILLER}(?:{_FRAME_PLURAL}|{_OWNED_PLURAL})\b",
        # A bare universal quantifier over the frame noun itself: "in every repo", "across all projects".
        rf"\b(?:every|each|any|all)(?: of)?(?: the)? (?:other |single )?{_ANY_FRAME}\b",
        # Prepositions that need a set as their object.
        rf"\b(?:across|among|amongst|throughout|between) (?:all |of |the )*(?:{_MINE}|these|all|the) {_FILLER}"
        rf"(?:{_FRAME_PLURAL}|{_OWNED_PLURAL}|stuff|code)\b",
        # Indefinite or universal pronoun whose restriction is ownership, not content.
        r"\b(?:anything|something|everything|nothing|all|any|which|what|whichever|whatever|none|some)"
        r"(?: else)?(?: [\w+#./-]+){0,4} of (?:mine|ours)\b",
        r"\b(?:anything|something|everything|all|whatever|nothing)(?: else)?(?: that)? "
        r"(?:i|we|i've|we've) (?:have|own|wrote|write|built|build|maintain|made|make|ship|got|written)\b(?! to\b)",
        r"(?:\b(?:show|list|name|give|tell|find)(?: me)? )?"
        r"\b(?:each|every|all|any|which|what)(?: of)?(?: the| my| our)? (?:[\w+#./-]+ ){1,4}(?:that |which )?"
        r"(?:i|we) (?:own|maintain|wrote|built)\b",
        # Possession asked of the speaker: "what do I have that ...", "do I have anything that ...".
        r"\bwhat (?:else )?(?:do (?:i|we) (?:have|own|maintain)|have (?:i|we) got)\b(?! to\b)",
        rf"\bdo (?:i|we) (?:have|own|maintain) (?:any|anything|something|more than one|another|other|multiple)\b"
        rf"(?! to\b)(?: {_FILLER}{_ANY_FRAME}\b)?",
        rf"\b(?:do (?:i|we) (?:have|own)|is there|are there) (?:a|an|any|some) {_FILLER}{_ANY_FRAME}"
        r"(?= (?:of|that|which|where|with|among|in|using|i)\b)",
        # "Elsewhere" presupposes one place and asks for the others.
        r"\bwhere else\b",
        # The experiential perfect of the first person asks whether it ever happened in all of one's work.
        r"(?:^|[,;:.?!] ?|\band |\bor |\bwhere |\bwhen )have (?:i|we) (?:ever |already |once |previously |before )?"
        r"(?!been\b|got\b|to\b|just\b)\w+\b",
        r"\b(?:have|did|do|had) (?:i|we) (?:\w+ )?ever\b",
        r"\b(?:do|did|have|am|are) (?:i|we) (?:\w+ ){1,6}?(?:anywhere|elsewhere)\b",
        # Imperative of listing + universal quantifier + a noun marked as the speaker's.
        rf"\b(?:list|name|show|give|enumerate|find|tell)(?: me)? (?:all|each|every|any)(?: of)?(?: the| my| our)? "
        rf"{_FILLER}(?:{_ANY_FRAME}|(?:{_OWNED_PLURAL}|{_OWNED_SINGULAR}) (?:here|i own|i have|of mine))\b",
    ),
    deixis=(
        *(("noun", p) for p in _DEICTIC_NP),
        *(("place", p) for p in _DEICTIC_PLACE),
        *(("person", p) for p in _DEICTIC_PERSON),
        *(("memory", p) for p in _DEICTIC_MEMORY),
        *(("version", p) for p in _DEICTIC_VERSION),
    ),
    project_relations=(
        rf"\b{_WHO} (?:that |do |does |also |currently |still |actually )*{_USE} {_OTHER}\b",
        rf"\b(?:do|does|is|are) {_WHO} (?:\w+ )?{_USE} {_OTHER}\b",
        rf"\b{_WHO} (?:that |also |currently |still |actually |directly )*{_USE} (?:the )?{_SUBJECT}{_SUBJECT_END}",
        rf"\b(?:do|does|is|are) {_WHO} (?:also |still )?{_USE} (?:the )?{_SUBJECT}{_SUBJECT_END}",
        rf"\b{_WHO} {_BREAK} (?:if|when) (?:the )?{_SUBJECT} (?:changes|changed|breaks|broke|goes away|went away)\b",
        rf"\b{_WHO} {_BREAK} (?:if|when) (?:i|we) (?:change|changed|remove|removed|drop|dropped|break|broke) (?:the )?"
        rf"{_SUBJECT}{_SUBJECT_END}",
        rf"\b(?:dependents|consumers|users|reverse dependencies|dependants) of (?:the )?{_SUBJECT}{_SUBJECT_END}",
        rf"\b(?:how (?:do|are)) (?:my|our) {_FRAME_PLURAL} (?:depend on|use|relate to|connected to|linked to) {_OTHER}\b",
        rf"\b(?:dependencies|relations|links|connections) (?:between|among) (?:all )?(?:my|our) {_FRAME_PLURAL}\b",
    ),
    subject=(
        rf"(?:(?P<here>(?:this|that|our|my|this whole) (?:git )?{_PROJECT}|(?:the|the current|this current|my current|the whole) {_PLAIN}|"
        r"it|this|that|here)"
        rf"|the {QUOTE}(?P<name>{PROJECT_NAME}){QUOTE} {_PROJECT}|{QUOTE}(?!(?:the|an?|this|that|our|my)\b)(?P<bare>{PROJECT_NAME}){QUOTE}(?: {_PROJECT})?)"
    ),
    lead=(
        r"(?:(?:hey|hi|hello|ok|okay|so|and|now|please|well)[,!.]? )*(?:(?:can|could|would|will) (?:you|someone|anyone) (?:please |quickly |briefly )?|"
        r"i(?:'d like| want| need| would like) (?:to know |you to )?|do you know )?(?:please )?"
        r"(?:(?:tell|show|explain(?: to)?|remind)(?: me| us)? )?(?:briefly |quickly )?"
    ),
    trail=(
        r"(?:,? (?:exactly|actually|again|anyway|really|in short|in a nutshell|in brief|in one sentence|in a few words|in general|"
        r"briefly|please|overall|here|for me|to me|all about|at all|then))*\s*[?.!…]*\s*"
    ),
    written_in=(
        rf"{_MANY}(?: that| which)?(?: is| are)?(?: all| mostly| mainly| partly| also| primarily)* {_WRITTEN} (?:in|with) <L>",
        rf"(?:which|what) of (?:my|our|the) {_PROJECTS} (?:is|are) (?:in )?<L>(?: {_PROJECTS}| code)?",
        rf"(?:(?:which|what|how many)(?: are)?|list|show|name|find)(?: me)?(?: all)?(?: of)?(?: my| our| the)? <L> (?:{_PROJECTS}|code)(?: do i have| do i own| are there| i have| of mine| there are)?",
        rf"do (?:i|we) have (?:any |a |some )?(?:<L> (?:{_PROJECTS}|project|repo|code))",
        rf"do (?:i|we) have (?:any|some)(?:thing| {_PROJECTS}| code)? (?:{_WRITTEN} )?in <L>",
    ),
    holding=(
        rf"{_MANY}(?: that| which)? (?:use|uses|using|contain|contains|containing|have|has|hold|include|includes) (?:any |some )?<L>(?: code| files| source| in (?:it|them))?",
    ),
    languages=(
        rf"(?:in )?(?:what|which) (?:programming )?languages? (?:is|are|was) <S> (?:mostly |mainly )?{_WRITTEN}(?: in| with)?",
        r"(?:what|which) (?:programming )?languages? (?:does|do) <S> (?:use|contain|have)",
        r"(?:what|which) (?:programming )?languages? (?:is|are) (?:used|there) (?:in|by|for) <S>",
        rf"what(?:'s| is) <S> (?:mostly |mainly )?{_WRITTEN} (?:in)",
        rf"(?:is|are|was) <S> (?:mostly |mainly |also |partly )?{_WRITTEN} in <L>",
    ),
    needs=(
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
    changes=(
        rf"{_ASKS}{_CHANGE}(?: (?:of|for|in|to|from|on) <S>)?{_DONE}",
        rf"{_ASKS}<S>(?:'s)? {_CHANGE}",
        r"what(?:'s| is| has| have| was| did)?(?: been)? (?:changed|happened|happening|going on|done|worked on|new)(?: (?:in|to|on|with) <S>)? (?:recently|lately|most recently|last)",
        r"what(?:'s| is| has| have| was| did)?(?: been)? (?:recently|lately) (?:changed|happened|happening|done|worked on|added|fixed)(?: (?:in|to|on|with) <S>)?",
        r"when was <S> (?:last|most recently) (?:updated|changed|touched|modified|committed to|worked on)",
        r"when did (?:anyone|someone|somebody|i|we) last (?:change|touch|work on|commit to|update) <S>",
        r"who (?:last |most recently )?(?:committed to|changed|worked on|touched) <S>(?: last| most recently)",
    ),
    release=(
        rf"{_ASKS}{_RELEASE}(?: (?:of|for|in|to|from|on) <S>)?{_DONE}",
        rf"{_ASKS}<S>(?:'s)? {_RELEASE}{_DONE}",
        r"what(?:'s| is| has been| was|s)? new(?: (?:in|with|at|for|about) <S>)?",
        r"when (?:was|did|has) <S> (?:been )?last (?:released?|published?|tagged|have a release|make a release|get a release)",
        r"when was the last time <S> was (?:released|published|tagged)",
        r"(?:what|which) version(?: of <S>)? is (?:the )?(?:latest|newest|current|most recent)(?: one)?",
        r"(?:what|which) version is <S>(?: (?:on|at))?(?: (?:now|currently))?",
    ),
    overview=(
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
    frame_words=words(
        """which what how many of my our mine ours the these those all any each every some most one none either both several
        project projects repo repos repository repositories codebase codebases code base bases git app apps application
        applications program programs programme programmes tool tools package packages service services library libraries
        thing things product products stuff across among amongst throughout between anything something everything nothing
        whatever whichever else other i we i've we've have own wrote write built build maintain made make ship got written
        do did had am are is there where ever already once previously before anywhere elsewhere list name show give
        enumerate find tell me here that and or when a an more than another multiple in"""
    ),
    pronouns=Pronouns(_NOT_NOUNS, _DETERMINERS, _AUXILIARIES, _PREPOSITIONS, _EXPLETIVE),
    symbol_relations=(
        # who calls X, which functions call X, what else is calling X, who's calling X; where do we call X
        (
            "callers",
            "call invok use using trigger execut run need referenc instantiat construct",
            rf"{_SOME}{_BETWEEN}\s+(?:(?:is|are)\s+)?{_HOW}(?P<verb>{_DOES})\s+<N>",
        ),
        (
            "callers",
            "call invoke use reference",
            r"where\s+(?:do|does|did)\s+(?:\w+\s+){1,3}?(?P<verb>call|invoke|use|reference)\s+<N>",
        ),
        # does anybody use X, do we still call X anywhere
        (
            "callers",
            "use using call invoke reference need",
            r"(?:does|do|did|is|are)\s+(?:we|you|they|any\w*|some\w*)(?:\s+\w+)?\s+"
            rf"{_HOW}(?P<verb>use|using|call|calling|invoke|reference|need)\s+<N>",
        ),
        # callers of X, the calls to X, call sites of X, references to X
        (
            "callers",
            "caller invoker calls invocation sites",
            r"(?:callers?|invokers?|calls|invocations|call\s+sites?)\s+(?:of|to|for)\s+<N>",
        ),
        (
            "callers",
            "user usage uses reference",
            r"(?P<verb>users?|usages?|uses|references?)\s+(?:of|to|for)\s+<N>",
        ),
        # where is X called, where's X used, from which functions is X called
        (
            "callers",
            "called invoked used triggered executed run needed referenced instantiated constructed",
            r"(?:where|when|(?:by|from)\s+\w+(?:\s+\w+)?|which\s+\w+(?:\s+\w+)?|how\s+often)"
            rf"{_IS}\s+<N>(?:\s+<NOUN>)?\s+{_HOW}(?:get\s+)?(?P<verb>{_DONE_TO})\b",
        ),
        # is X still used anywhere, is X dead code, can I remove X
        (
            "callers",
            "used called needed referenced invoked",
            rf"(?P<doubt>)(?:is|are)\s+<N>\s+{_HOW}(?P<verb>used|called|needed|referenced|invoked)\b",
        ),
        (
            "callers",
            "dead unused obsolete unreachable",
            r"(?:is|are)\s+<N>\s+(?:now\s+)?(?P<verb>(?:dead|unused|obsolete|unreachable))\b",
        ),
        (
            "callers",
            "remove delete drop",
            rf"(?:can|may|could|should)\s+(?:i|we|you)\s+{_HOW}(?P<verb>remove|delete|drop)\s+<N>",
        ),
        # what does X call, which functions does X invoke
        (
            "callees",
            "call invoke use depend rely need",
            rf"(?:what|which){_BETWEEN}\s+(?:do|does)\s+<N>(?:\s+<NOUN>)?\s+{_HOW}"
            r"(?P<verb>call|invoke|use|depend\s+on|rely\s+on|need)\b",
        ),
        ("callees", "callee dependencies", r"(?:callees?|dependencies)\s+of\s+<N>"),
        # which classes implement X, what extends X, who inherits from X
        (
            "implementers",
            _INHERITING_BEGINS,
            rf"(?:which|what)\s+(?:\w+\s+){{0,2}}?{_KIND}\s+(?:(?:is|are)\s+)?{_HOW}{_INHERITING}\s+<N>",
        ),
        # An option extends a deadline, and a flag overrides a default.
        (
            "implementers",
            _INHERITING_BEGINS,
            rf"(?P<code>){_SOME}{_BETWEEN}\s+(?:(?:is|are)\s+)?{_HOW}{_INHERITING}\s+<N>",
        ),
        (
            "implementers",
            "implementations implementer implementor subclass subtype class type overrides heir",
            r"(?:implementations|implementers?|implementors?|(?:sub|derived\s+|child\s+)(?:class|type)(?:es|s)?|overrides"
            r"|heirs?)\s+of\s+<N>",
        ),
        # The implementation of a cache is where it is defined.
        (
            "implementers",
            "implementation override children",
            r"(?P<code>)(?:implementation|override|children)\s+of\s+<N>",
        ),
        (
            "implementers",
            "implemented extended overridden satisfied",
            rf"(?:by|which)\s+(?:\w+\s+)?{_KIND}{_IS}\s+<N>\s+(?:implemented|extended|overridden|satisfied)\b",
        ),
        # which tests cover X, what tests X; tests for X, is X tested, do we have tests that cover X
        (
            "tests",
            "test",
            r"tests?\s+(?:(?:that|which)\s+)?"
            r"(?:cover(?:s|ing)?|exercis(?:es?|ing)|check(?:s|ing)?|call(?:s|ing)?|us(?:es?|ing)|for|of)\s+<N>",
        ),
        ("tests", "test", r"(?:what|who)\s+tests\s+<N>"),
        (
            "tests",
            "tested covered",
            rf"(?:is|are|where(?:'s|\u2019s|\s+is)|how(?:'s|\u2019s|\s+is))\s+<N>\s+{_HOW}(?:tested|covered)\b",
        ),
        # which tests fail if I break X
        (
            "tests",
            "test",
            r"tests?\s+(?:\w+\s+){0,2}?(?:fails?|breaks?|run|change)\s+(?:if|when)\s+\w+\s+"
            rf"{_TO_CHANGE}\s+{_SOMETHING_OF}<N>",
        ),
        # who imports X, where is X imported
        ("importers", "import", rf"{_SOME}{_BETWEEN}\s+imports?\s+<N>"),
        ("importers", "imported", rf"where{_IS}\s+<N>\s+{_HOW}imported\b"),
        # what would a change of X reach, what does changing X affect
        (
            "reach",
            "reach affect break impact touch change",
            rf"what{_BETWEEN}\s+(?:would|does|will|do|could|can|might)\s+(?:a\s+|any\s+)?"
            rf"(?:changes?\s+(?:of|to|in)|{_TO_CHANGE})\s+{_SOMETHING_OF}<N>\s+"
            r"(?:reach|affect|break|impact|touch|change)\b",
        ),
        # what breaks if I change X, what is affected when we remove X, what is affected by a change to X
        (
            "reach",
            "break fail change affected impacted happen reached touched",
            r"what\b[\w\s]{0,40}?\b(?:breaks?|fails?|changes?|affected|impacted|happens?|reached|touched)\s+(?:if|when|by)\s+"
            rf"(?:\w+\s+)?(?:changes?\s+(?:of|to|in)|changes?|{_TO_CHANGE})\s+{_SOMETHING_OF}<N>",
        ),
        # if I add a parameter to X, what do I have to touch
        (
            "reach",
            "if when once before",
            rf"(?P<doubt>)(?:if|when|once|before)\s+(?:i|we|you|one)\s+(?:{_TO_CHANGE}|add|make|give)\s+{_SOMETHING_OF}<N>\W"
            r"[^.?!]{0,60}?\b(?:what|which|who|where)\b",
        ),
        # what else has to change when X changes
        (
            "reach",
            "if when once",
            r"(?P<doubt>)what\b[\w\s]{0,40}?\b(?:if|when|once)\s+<N>\s+(?:changes?|is\s+\w+(?:ed|en)|goes|breaks?|fails?)\b",
        ),
        # the impact of changing X, everything that depends on X
        (
            "reach",
            "impact effect reach radius",
            r"(?:impact|effects?|reach|blast\s+radius)\s+of\s+"
            rf"(?:(?:a\s+)?changes?\s+(?:of|to|in)\s+|{_TO_CHANGE}\s+)?<N>",
        ),
        ("reach", "depend relies rely", rf"{_SOME}{_BETWEEN}\s+(?P<verb>depends?|relies|rely)\s+on\s+<N>"),
        # what is called by X, the functions called in X
        (
            "callees",
            "called invoked",
            r"(?:is|are|gets?|functions?|methods?|everything)\s+(?P<verb>called|invoked)\s+(?:by|in|from|inside)\s+<N>",
        ),
    ),
    asked_relations=(
        # A subject question asks who does it ("which commands go through it"), an object question what is done ("what does
        # it call"): only the latter has an auxiliary before the verb.
        (
            "callers",
            "call invok trigger reus referenc instantiat use depend reli rely through funnel end writ append add send pass hand",
            rf"{_AGENT} {_OFTEN}{_CALLS}",
        ),
        (
            "callers",
            "operations commands tools callers places path point actions routes handlers jobs",
            rf"\bwhich (?:two |other |of (?:the|our|my) )?{_FROM_OUTSIDE} {_OFTEN}(?!{_AUXILIARY}\b)\w+",
        ),
        ("callers", "caller call", r"\b(?:callers|call sites?|places (?:that |which )?call)\b|\bcaller of\b"),
        (
            "callers",
            "called invoked referenced used triggered instantiated",
            r"\bwhere(?:'s| is| are| else is| else are) [^,;.?!]{1,60}? (?:called|invoked|referenced|used|triggered|instantiated)\b"
            r"(?! (?:for|to|as)\b)",
        ),
        (
            "callers",
            "called invoked referenced used triggered reached",
            r"\b(?:called|invoked|referenced|used|triggered|reached) (?:by|from) (?:whom?|what|which|where)\b",
        ),
        (
            "callers",
            "called invoked referenced used triggered",
            r"\b(?:by|from) (?:whom?|what|which \w+|where) (?:is|are) [^,;.?!]{1,60}? (?:called|invoked|referenced|used|triggered)\b",
        ),
        # Who decides whether something goes through a pager calls the pager.
        ("callers", "through", r"\bwhether [^,;.?!]{1,60}? (?:goes|passes|runs|is (?:sent|passed|routed)) through\b"),
        # What a change would reach.
        (
            "callers",
            "affected impacted",
            r"\bwhat (?:\w+ ){0,3}?(?:affected|impacted)\b|\b(?:affected|impacted) (?:by|if|when)\b",
        ),
        (
            "callers",
            "break fail depend",
            rf"\bwhat (?:else )?(?:\w+ )?(?:breaks?|fails?|depends) (?:if|when) (?:i|we|you|someone|one) (?:\w+ )?{_REWRITE}\b"
            rf"|\b(?:if|when) (?:i|we|you|someone|one) {_REWRITE}\b[^.?!]{{1,120}}?\bwhat (?:else )?(?:\w+ )?(?:breaks?|fails?|depends)\b",
        ),
        (
            "callers",
            "impact blast ripple",
            r"\b(?:impact|blast radius|ripple effects?) of (?:a |any )?(?:chang|modify|edit|refactor|remov|renam|rewrit)",
        ),
        (
            "callees",
            "call invoke trigger use need delegate hand depend rely compile expand translate desugar boil",
            r"\b(?:what|which(?: \w+){1,3}?)(?: else)? (?:do|does|did|will|would|can|could) [^,;.?!]{1,60}? (?:call|invoke|trigger|use|need|"
            r"(?:delegate|hand over) to|(?:depend|rely) (?:up)?on|(?:compile|expand|translate|desugar|boil) (?:down )?(?:in)?to)\b",
        ),
        (
            "callees",
            "callees order steps stages phases",
            r"\bcallees\b|\bin (?:what|which) order\b|\bwhich (?:steps|stages|phases)\b",
        ),
        (
            "callees",
            "called invoked executed",
            r"\b(?:what|which(?: \w+){1,2}?|everything(?: that)?) (?:is|are|gets?) (?:called|invoked|executed) (?:by|in|from|inside|during) "
            r"(?!(?:whom?|what|which|where)\b)",
        ),
        (
            "implementers",
            "implement extend overrid subclass inherit deriv satisf conform",
            rf"\b(?:which|what) (?:\w+ ){{0,2}}?{_KIND} {_OFTEN}{_INHERITS}\b",
        ),
        (
            "implementers",
            "implement extend overrid subclass inherit deriv satisf conform",
            rf"\b(?:who|what)(?: else)? {_OFTEN}{_INHERITS} (?:the |our |this |that |an? )?(?:[\w-]+ ){{0,2}}?"
            r"(?:base ?class|class|interface|trait|protocol|type|method|hook|contract|base)\b",
        ),
        (
            "implementers",
            "implement subclass subtype overrides heirs derived child",
            r"\b(?:implementations|implement[eo]rs?|subclass(?:es)?|subtypes?|overrides|heirs|(?:derived|child) (?:classes|types)) of\b",
        ),
        (
            "implementers",
            "kinds variants flavors flavours subclasses implementations",
            r"\b(?:which|what) (?:kinds|variants|flavou?rs|subclasses|implementations) of [\w -]{1,40}? (?:are there|exist)\b",
        ),
        (
            "importers",
            "import",
            r"\b(?:who|what|which (?:\w+ ){0,2}?(?:files?|modules?|packages?|classes|components?|places?|scripts?))(?: else)? "
            rf"{_OFTEN}imports?(?! {_AUXILIARY}\b)\b",
        ),
        (
            "importers",
            "include require",
            r"\bwhich (?:\w+ )?(?:files?|modules?|headers?|sources?) (?:includes?|requires?)\b",
        ),
        (
            "importers",
            "imported included",
            r"\bwhere(?:'s| is| are| else is) [^,;.?!]{1,60}? imported\b|\b(?:imported|included) by (?:whom?|what|which)\b",
        ),
        ("importers", "importers", r"\b(?:its|their|whose) importers\b|\bimporters of\b"),
        ("tests", "test spec", rf"\b{_TESTS} (?:(?:that|which) )?(?:\w+ly )?{_CHECK}\b"),
        ("tests", "test spec", r"\b(?:tests|specs) (?:for|of)\b|\b(?:an?|the|any|which) test for\b"),
        ("tests", "test", r"\b(?:are|is) there (?:an? |any )?(?:\w+ )?tests?\b(?! \w)|\bwhich tests\b"),
        (
            "tests",
            "test",
            r"\b(?:the|our|its|their|in|unit|integration|regression) tests\b|\btest (?:coverage|cases|suite)\b",
        ),
        ("tests", "tests", r"\b(?:who|what) tests \w"),
        (
            "tests",
            "tested covered",
            r"\b(?:is|are|isn't|aren't|was|(?:how|where)(?:'s| is| are)) [^,;.?!]{1,60}? (?:tested|covered by (?:\w+ ){0,2}?tests?)\b",
        ),
    ),
    chains=(
        # how does A reach B, how do we get from A to B, the chain from A to B
        (
            "reach call get lead end",
            r"how\s+(?:does|do|can|is)\s+<N>\s+(?:reach|call|get\s+to|lead\s+to|end\s+up\s+(?:in|at|calling))\s+<E>",
        ),
        ("from", r"\bfrom\s+<N>\s+(?:down\s+|up\s+)?to\s+<E>"),
        ("between", r"(?:path|chain|way|route|connection)\s+between\s+<N>\s+and\s+<E>"),
    ),
    # A question word before a past or perfect auxiliary asks for something that happened: the past tense is what tells an
    # event from a state ("why was it dropped" against "why is it slow"). Inside a sentence "when" and "who" open a
    # subordinate clause ("what happens when the key was lost"), so they count at the beginning of a sentence only.
    event=(
        rf"\b(?:why|how come){_PAST}",
        rf"(?:^|[.!?;:]\s+)(?:and |so |but )?(?:when|since when|who|in which (?:commit|version|release)){_PAST}",
        r"\bwhich commit\b|\bcommit message\b|\b(?:git )?history of\b",
    ),
    reason=(
        r"\bwhy\b|\bhow come\b|\bwhat (?:made|led|caused|prompted|motivated)\b|\bfor (?:what|which) reason\b",
        r"\bwhat(?: is|'s| was)? the (?:reason|rationale|motivation)\b",
    ),
    when=r"\s*when",
)
