"""Whether the compiled engine can run here, and modules compiled once for all uses."""

from __future__ import annotations

from collections import OrderedDict
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houserule.engine.compiled.machine import CompiledMachine
    from houserule.engine.compiled.module import Module
    from houserule.ir import Program

NO_RUNTIME = "wasmtime is not installed, so the reference engine plays."
NOT_HERE = "wasmtime does not run on this machine"


def no_runtime() -> str:
    """Return why wasmtime cannot be used here; '' if it can.

    On a platform without a wheel, a package without library is installed; importing it
    fails in one of several ways.
    """
    try:
        import_module("houserule.engine.compiled.machine")
    except ModuleNotFoundError:
        return NO_RUNTIME
    except (ImportError, OSError, RuntimeError) as error:
        return f"{NOT_HERE} ({error}), so the reference engine plays."
    return ""


KEPT = 256
"""Number of modules that stay compiled, the last used ones."""
_modules: OrderedDict[Program, Module] = OrderedDict()
_wanted: OrderedDict[Program, int] = OrderedDict()
_compiling = Lock()


def is_compiled(program: Program) -> bool:
    """Return whether the module of a program is compiled already."""
    return program in _modules


def wanted_before(program: Program) -> int:
    """Return how often the module of a program was wanted before, and note it."""
    times = _wanted.pop(program, 0)
    _wanted[program] = times + 1
    if len(_wanted) > KEPT:
        _wanted.popitem(last=False)
    return times


def is_compiling() -> bool:
    """Return whether some thread compiles a module now, so that others would wait."""
    return _compiling.locked()


def module_of(program: Program) -> Module:
    """Return the module of a program, compiled once for all threads.

    Raises:
        Unsupported: the program says what cannot be compiled.
    """
    from houserule.engine.compiled.machine import code_of
    from houserule.engine.compiled.module import emit

    with _compiling:
        if program not in _modules:
            module = emit(program)
            code_of(module)
            _modules[program] = module
            if len(_modules) > KEPT:
                _modules.popitem(last=False)
        _modules.move_to_end(program)
        return _modules[program]


def machine_for_greedy(program: Program) -> CompiledMachine | None:
    """Return a new machine for greedy bots; None if they cannot play compiled."""
    if no_runtime():
        return None
    from houserule.engine.compiled.functions import Unsupported
    from houserule.engine.compiled.machine import CompiledMachine

    try:
        module = module_of(program)
    except Unsupported:
        return None
    return None if module.no_greedy else CompiledMachine(module)
