/** The part of the WebAssembly interface that the kernel uses; Node and browsers have it, the language's own types do not. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { readonly initial: number });
    readonly buffer: ArrayBuffer;
  }
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }
  class Instance {
    constructor(module: Module, imports: { readonly [name: string]: { readonly [name: string]: Memory } });
    readonly exports: { readonly [name: string]: unknown };
  }
}
