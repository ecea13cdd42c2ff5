/** One COPY on a connection of pg, without streams: statement, data and end leave in one go (no extra round trip). */
interface CopyConnection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

export interface CopyQuery {
  submit(connection: CopyConnection): void
}

/**
 * What pg.Client.query takes. `done` is called once: without an error only after the server is ready again, which is
 * after its commit.
 */
export function makeCopyQuery(statement: string, data: Buffer, done: (error?: Error) => void) {
  let failure: Error | undefined
  let finished = false
  const finish = (error?: Error) => {
    if (finished) return
    finished = true
    done(error)
  }
  return {
    submit(connection: CopyConnection) {
      connection.query(statement)
      // Should the statement fail, the server drops the data that follows (protocol, "COPY Operations").
      connection.sendCopyFromChunk(data)
      connection.endCopyFrom()
    },
    handleCopyInResponse() {},
    handleCommandComplete() {},
    handleEmptyQuery() {},
    handleError(error: Error) {
      failure = error
      finish(error)
    },
    handleReadyForQuery() {
      finish(failure)
    },
  }
}
