/** The part of the WebAssembly API that the kernel uses. The TypeScript `lib` of this project does not declare it. */
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
