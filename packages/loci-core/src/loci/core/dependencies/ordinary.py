"""Names that any project may have, so that a mention of one says nothing."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())


# Programs that every machine has, builtins of shells, and words that any project may call a script of its own: such a
# name in a script says nothing of the project that happens to have it too.
ORDINARY_COMMANDS = words(
    """
    admin alias api app apply apt ar as assets at auth awk backend base64 basename bash batch bc bench benchmark
    benchmarks bg bin bison bot break build builds bundle bunzip2 bzip2 cal cargo case cat cc cd check chgrp chmod
    chown ci cksum clang clean clear cli client cmake cmp codegen comm command common compile config configure
    console continue convert core cp cpp create cron crontab csplit curl cut daemon dashboard data database date db
    dd debug declare demo demos deploy desktop dev df diff dig dir dirname dist do docker docs done du e2e echo ed
    egrep elif else emacs end engine env esac eval ex example examples exec exit expand export expr factor false fc
    fg fgrep fi file find fixture fixtures fmt fold for frontend function fuse gateway gcc gem generate generator
    get getconf getopts git go gofmt gpg grep groups gunzip gzip hash head help hexdump history host hostname i18n
    iconv id if import in info infra init install integration internal ip java jobs join kill killall ldd let lex
    lib library link lint ln local locale locate log logger login logname look lookup ls lsof m4 mail main make
    makefile man manage md5sum migrate mix mkdir mkfifo mktemp mobile mocha models module more mount move mv my nano
    nc netstat new nice nl nm node nohup npm npx od open openssl package packages parallel paste patch pathchk pax
    perl php ping pip pip3 pkill playground plugin plugins pnpm popd pr print printenv printf process project proxy
    ps pushd pwd pytest python python3 rake read readlink readonly release reload render report reset restart return
    rev rm rmdir root rsync ruby run runner rust rustc sample samples sandbox save schema schemas scp script scripts
    sdk sed select send seq serve server service set setup sh sha256sum shared shift show site sleep sort source
    split sql ssh start starter stat status stop store storybook strace strings strip stty su sudo sum sync
    systemctl tabs tac tail tar task tee template test tests theme themes then time timeout tool toolkit tools top
    touch tput tr trace trap true tsort tty type types typeset ui ulimit umask umount unalias uname uncompress
    unexpand uniq unlink unset until unzip update upgrade upload user util utils uuid validate vi view vim wait
    watch wc web website wget which while who whoami worker workspace write xargs xtask xz yacc yarn yes zip zsh
    """
)
