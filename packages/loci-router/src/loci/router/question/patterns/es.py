# ruff: noqa: E501 - a pattern that is broken over lines cannot be read.
"""Spanish."""

from __future__ import annotations

from ..text import words
from . import PROJECT_NAME, QUOTE, Patterns

PATTERNS = Patterns(
    function_words=words(
        """el los las una uno unos unas del al y qué cómo cuál cuáles dónde cuándo quién por para con sin sobre es son
        está están se su sus mi mis nuestro nuestra nuestros este esta esto estos eso aquí que cuando donde hay he
        hemos alguna alguno cada todos todas la de en lo"""
    ),
    begins=r"\s*(?:que |quien|para que|de que|dame|usa |utiliza|depende|describe)|.*[¿áéíóúñ]",
    instrument=(
        r"(?:^|[.!?,;:¿¡] ?)(?:por favor,? )?(?:pregunta(?:le)? a|usa|utiliza) (?P<tool>loci)\b(?: para \w+| si| y)?[:,]?",
        r"\b(?:con|según|mediante) (?P<tool>loci)\b(?=\s*(?:[,:;.?!]|$))",
    ),
    enumeration=(
        r"\b(?:cuál(?:es)?|cual(?:es)?|cuántos|alguno|algunos|alguna|ninguno|cualquiera|cada uno|todos|uno) de "
        r"(?:mis|nuestros|nuestras|los|las) (?:proyectos|repos|repositorios|programas|aplicaciones|servicios|apps|herramientas)\b",
        r"\b(?:en )?(?:qué|que|cuáles|cuántos) (?:otros )?(?:proyectos|repos|repositorios)\b",
        r"\b(?:todos|todas|entre|en todos|en cualquiera de) (?:los |las )?(?:mis|nuestros) (?:proyectos|repos|repositorios|programas)\b",
        r"\b(?:algo|nada|todo lo) (?:mío|nuestro|que (?:tengo|he escrito|mantengo))\b",
        r"\b(?:qué|que) tengo (?:yo )?que\b",
        r"\b(?:cada|cualquier|algún|ningún) (?:proyecto|repo|repositorio)(?: mío)?\b",
        # "elsewhere"; experiential perfect of the first person.
        r"\b(?:dónde|donde|en qué) (?:más|otro (?:proyecto|sitio|lugar)|otros)\b",
        r"\b(?:alguna vez|ya) (?:he|hemos)\b|\b(?:he|hemos) \w+ (?:alguna vez|ya|antes)\b|\bdónde (?:he|hemos)\b",
    ),
    deixis=(
        (
            "noun",
            r"\b(?:est[ea]|es[ea]|nuestr[oa]|el|la) (?:proyecto|repo|repositorio|aplicación|app|programa|herramienta|"
            r"directorio|carpeta|código|cosa)\b(?! de\b)",
        ),
        ("place", r"\b(?:aquí|acá)\b"),
        ("pronoun", r"\b(?:esto|eso)\b"),
    ),
    project_relations=(
        r"\b(?:qué|que|cuáles|cuál)(?: de mis)? (?:proyectos?|repos?|repositorios?) (?:usan?|utilizan?|dependen? de|importan?) "
        r"(?:otro(?:s)?(?: de mis \w+| proyectos?)?|(?P<subject>[\w@][\w@./+-]*)(?=\s*(?:[?.!,]|$)))",
        r"\b(?:qué|quién|que|quien) (?:depende de|usa|utiliza) (?P<subject>[\w@][\w@./+-]*)(?=\s*(?:[?.!,]|$))",
    ),
    subject=(
        r"(?:(?P<here>(?:est[ea]|es[ea]|nuestr[oa]|el|la|mi) (?:proyecto|repo|repositorio|aplicación|app|programa|herramienta|"
        r"biblioteca|paquete|directorio|carpeta|código|cosa)|esto|eso)"
        rf"|(?:el|la) (?:proyecto|repo|repositorio|biblioteca|paquete|programa|herramienta) {QUOTE}(?P<name>{PROJECT_NAME}){QUOTE}"
        rf"|{QUOTE}(?P<bare>{PROJECT_NAME}){QUOTE})"
    ),
    lead=r"¿?(?:(?:por favor|dime|explícame|puedes decirme)[,]? )*¿?",
    trail=r"(?:,? (?:exactamente|por favor|en pocas palabras|en general|aquí))*\s*[?.!…]*\s*",
    written_in=(
        r"(?:cuáles de mis|qué|que|cuáles) (?:proyectos|repos|repositorios|programas) (?:están |son )?(?:escritos|hechos|programados|desarrollados) (?:en|con) <L>",
    ),
    holding=(
        r"(?:cuáles de mis|qué|que|cuáles) (?:proyectos|repos|repositorios|programas) (?:usan|utilizan|tienen|contienen) (?:código )?<L>",
    ),
    languages=(r"en (?:qué|que) (?:lenguaje|idioma) (?:de programación )?está (?:escrito|hecho|programado) <S>",),
    needs=(
        r"de (?:qué|que) (?:bibliotecas |librerías |paquetes |proyectos )?depende <S>",
        r"(?:qué|que|cuáles) (?:bibliotecas|librerías|paquetes|dependencias|módulos|proyectos|herramientas) (?:usa|utiliza|tiene|necesita|requiere|importa) <S>",
        r"(?:qué|que) (?:usa|utiliza|necesita|requiere|importa) <S>",
        r"(?:cuáles son |muestra |lista )?(?:las |todas las )?dependencias de <S>",
        r"(?:usa|utiliza|necesita|requiere|importa) <S> (?:a )?<O>",
        r"(?!qu|cu)<S> (?:usa|utiliza|necesita|requiere|importa|depende de) <O>",
        r"depende <S> de <O>",
    ),
    changes=(
        r"(?:cuáles son |muestra |lista )?(?:los )?últimos(?: \w+)? (?:commits|cambios)(?: (?:de|en) <S>)?",
        r"(?:qué|que) (?:ha cambiado|cambió) (?:recientemente|últimamente)(?: en <S>)?",
    ),
    release=(
        r"(?:qué|que) (?:cambió|ha cambiado|hay de nuevo|se añadió|trae)(?: en)? la última (?:versión|release|publicación)(?: de <S>)?",
        r"(?:qué|que) hay de nuevo(?: en <S>)?",
        r"(?:cuándo|cuando) (?:fue|salió|se publicó) la última (?:versión|release|publicación)(?: de <S>)?",
        r"cuál es la (?:última|más reciente) versión(?: de <S>)?",
    ),
    overview=(
        r"(?:qué|que) (?:hace|es) <S>",
        r"para (?:qué|que) (?:sirve|es|se usa) <S>",
        r"de (?:qué|que) (?:va|trata|se trata) <S>",
        r"cuál es (?:el|la) (?:propósito|objetivo|finalidad) de <S>",
        r"(?:dame )?(?:un |una )?(?:breve )?(?:resumen|descripción|introducción|visión general) (?:de|a|sobre) <S>",
        r"(?:describe|explica|resume) <S>",
    ),
    frame_words=words(
        """cuál cuáles cual cuántos de mis nuestros los las proyectos repositorios en qué que todos algo mío tengo
        dónde donde más alguna vez he hemos ya cada cualquier algún"""
    ),
    symbol_relations=(
        # quién llama a X, dónde se usa X
        (
            "callers",
            "llama usa utiliza",
            r"(?:quién|qué|dónde)\s+(?:se\s+)?(?:llama|usa|utiliza|usad[oa])\s+(?:a\s+)?<N>",
        ),
    ),
    asked_relations=(
        (
            "callers",
            "llama usa utiliza invoca",
            r"\b(?:quién|quiénes|qué) (?:llaman?|usan?|utilizan?|invocan?)\b|\bdónde se (?:llama|usa|utiliza|invoca)\b",
        ),
        (
            "callees",
            "orden pasos etapas fases llama invoca",
            r"\ben qué orden\b|\bqué (?:pasos|etapas|fases)\b|\bqué (?:funciones|métodos) (?:llama|invoca)\b",
        ),
        (
            "implementers",
            "implementan extienden heredan sobrescriben",
            r"\bqué (?:clases|tipos|interfaces|estructuras) (?:implementan|extienden|heredan de|sobrescriben)\b",
        ),
        ("implementers", "subclases implementaciones", r"\bsubclases de\b|\bimplementaciones de\b"),
        (
            "importers",
            "importa",
            r"\b(?:quién|qué (?:archivos|ficheros|módulos|paquetes)) importan?\b|\bdónde se importa\b",
        ),
        (
            "tests",
            "pruebas tests",
            r"\b(?:qué|cuáles|hay|los|las|nuestras) (?:pruebas|tests)\b|\b(?:pruebas|tests) para\b",
        ),
        ("tests", "probad testead", r"\bestá(?:n)? (?:\w+ )?(?:probad|testead)[oa]s?\b"),
    ),
    # cómo se llega de A a B
    chains=(
        ("de", r"\bcómo\b[^.?!]{1,40}?\b(?:de|desde)\s+<N>\s+(?:a|hasta)\s+<E>"),
        ("entre", r"\b(?:camino|ruta|cadena)\s+entre\s+<N>\s+y\s+<E>"),
    ),
    reason=(r"\bpor qué\b",),
    when=r"\s*¿?(?:cuándo|cuando)",
)
