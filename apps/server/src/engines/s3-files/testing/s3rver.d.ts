declare module '@20minutes/s3rver' {
  interface Context {
    method: string
    query: Record<string, string>
    status: number
    body: unknown
  }
  type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>
  class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: Array<{ name: string }>
    })
    middleware: Middleware[]
    store: {
      putContent(path: string, content: unknown): Promise<[size: number, md5: string]>
    }
    httpServer: import('node:http').Server
    run(): Promise<import('node:net').AddressInfo>
    close(): Promise<void>
  }
  export = S3rver
}
