/** The part of WebAssembly used here: neither the ES library nor the types of Node declare it, only the DOM's do. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
    private readonly brand: 'module'
  }
  class Memory {
    constructor(limits: { initial: number; maximum?: number })
    readonly buffer: ArrayBuffer
  }
}
