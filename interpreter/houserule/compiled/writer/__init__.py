"""WebAssembly text: functions, switches, and inlining before it is compiled."""
