/** What products.ts uses of it: the types of Node 20 name it and leave it empty. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { readonly initial: number })
    readonly buffer: ArrayBuffer
  }
  class Module {
    private readonly code
    constructor(code: Uint8Array)
  }
  class Instance {
    constructor(code: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>)
    readonly exports: Readonly<Record<string, unknown>>
  }
}
