"""WebAssembly as text: functions, cases by number, tiny functions written out."""
