/** Durable delivery of job ids: each is handed to one server at a time until its work ends or its tries are used up. */
export interface JobDelivery {
  jobID: string
  /** The last try: a failure now is final. */
  lastTry: boolean
  /** Fires when this server stops or the job was given away. */
  signal: AbortSignal
}

export interface JobQueue {
  send(jobID: string, options: { tries: number; deadlineSeconds: number }): Promise<void>
  /** A throwing worker makes the queue deliver again, until the tries are used up. */
  work(handler: (delivery: JobDelivery) => Promise<void>): void
  start(): Promise<void>
  stop(): Promise<void>
}
