"""The language server: diagnostics, fixes and rule pages in editors, over the Language Server Protocol.

`lintpickle server` starts it; `app.make_server` makes one. All analysis runs on one thread (`worker`), so nothing that
it touches needs locks; the protocol is served by an asyncio loop on the main thread.
"""
