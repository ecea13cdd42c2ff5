/** COPY on a connection of pg, without streams: batches and rows are small and wanted whole. */
import type pg from 'pg'

interface CopyConnection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** Runs once for success, after the server is ready again and so after its commit, or once for a failure. */
function makeEnd(resolve: () => void, reject: (error: Error) => void) {
  let failed = false
  return {
    handleCommandComplete() {},
    handleEmptyQuery() {},
    handleError(error: Error) {
      failed = true
      reject(error)
    },
    handleReadyForQuery() {
      if (!failed) resolve()
    },
  }
}

/** pg takes anything that can be submitted; its types know queries of its own only. */
const submit = (client: pg.ClientBase, query: object): void => void client.query(query as pg.Submittable)

/** Statement, data and end leave in one go: no round trip before the data. `data` may be used again afterwards. */
export const copyIn = (client: pg.ClientBase, statement: string, data: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    submit(client, {
      ...makeEnd(resolve, reject),
      submit(connection: CopyConnection) {
        connection.query(statement)
        // Should the statement fail, the server drops the data that follows (protocol, "COPY Operations").
        connection.sendCopyFromChunk(data)
        connection.endCopyFrom()
      },
      handleCopyInResponse() {},
    })
  })

/** `onMessage` gets the header, then each row; what it is given is valid during the call only. */
export const copyOut = (client: pg.ClientBase, statement: string, onMessage: (bytes: Buffer) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = makeEnd(resolve, reject)
    submit(client, {
      ...end,
      submit: (connection: CopyConnection) => connection.query(statement),
      handleCopyData({ chunk }: { chunk: Buffer }) {
        try {
          onMessage(chunk)
        } catch (error) {
          end.handleError(error as Error)
        }
      },
    })
  })
