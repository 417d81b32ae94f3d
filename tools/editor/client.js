// JSON-RPC over the standard streams of a language server.
"use strict";
const { spawn } = require("node:child_process");

exports.Client = class Client {
  constructor(program, given, told) {
    Object.assign(this, { program, given, told, last: 0, asked: new Map(), heard: new Map(), rest: Buffer.alloc(0) });
  }

  // Starts the server and greets it.
  async start(folder) {
    await new Promise((resolve, reject) => {
      this.process = spawn(this.program, this.given, { shell: false });
      this.process.once("spawn", resolve);
      this.process.once("error", reject);
    });
    const ended = () => {
      for (const { reject } of this.asked.values()) reject(new Error("the server has ended"));
      this.asked.clear();
    };
    this.process.on("error", ended);
    this.process.on("exit", ended);
    this.process.stdin.on("error", ended);
    this.process.stderr.on("data", (data) => this.told(`${data}`));
    this.process.stdout.on("data", (data) => this.read(data));
    const capabilities = { general: { positionEncodings: ["utf-16"] } };
    await this.request("initialize", {
      processId: process.pid, rootUri: folder ? `${folder}` : null, capabilities, initializationOptions: { terminal: true },
    });
    this.notify("initialized", {});
  }

  on(method, act) {
    this.heard.set(method, act);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  // An answer that is no longer wanted is cancelled, and null.
  request(method, params, signal) {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      signal?.onCancellationRequested(() => {
        if (this.asked.delete(id)) this.notify("$/cancelRequest", { id });
        resolve(null);
      });
      this.send({ id, method, params });
    });
  }

  send(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  read(data) {
    this.rest = Buffer.concat([this.rest, data]);
    for (;;) {
      const head = this.rest.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.rest.subarray(0, head))[1]);
      if (this.rest.length < head + 4 + length) return;
      const message = JSON.parse(this.rest.subarray(head + 4, head + 4 + length));
      this.rest = this.rest.subarray(head + 4 + length);
      this.take(message);
    }
  }

  take({ id, method, params, result, error }) {
    if (method !== undefined) {
      this.heard.get(method)?.(params);
      if (id !== undefined) this.send({ id, result: null });
      return;
    }
    const waiting = this.asked.get(id);
    this.asked.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result ?? null);
  }

  async stop() {
    if (this.process.exitCode !== null) return;
    await this.request("shutdown", null).catch(() => {});
    this.notify("exit", null);
    this.process.stdin.end();
  }
};
