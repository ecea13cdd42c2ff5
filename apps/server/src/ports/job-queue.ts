/** Durable delivery of job ids: each is handed to one server, and again when that one fails, stops or dies. */
export interface JobDelivery {
  jobID: string
  /** Delivered before: whoever had it is gone or gave it back. */
  again: boolean
  /** Fires when this server stops or the job was given away. */
  signal: AbortSignal
}

export interface JobQueue {
  send(jobID: string, options: { deadlineSeconds: number }): Promise<void>
  /** A throwing worker makes the queue deliver again after a moment. */
  work(handler: (delivery: JobDelivery) => Promise<void>): void
  start(): Promise<void>
  /** Running work is told to stop and waited for. */
  stop(): Promise<void>
}
