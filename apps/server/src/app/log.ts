import { type DestinationStream, type Logger, pino } from 'pino'
import { PinoPretty } from 'pino-pretty'

/**
 * Pretty for people at a terminal, one JSON object a line for everything else.
 * @param to absent: the standard output
 */
export function makeLog(level: string, terminal: boolean, to?: DestinationStream): Logger {
  const redact = { paths: ['*.password', '*.token', 'req.headers["ithings-token"]'], censor: '******' }
  if (!terminal) return pino({ level, redact }, to)
  // In this thread: a worker of its own would cost more memory than it is worth.
  const pretty = PinoPretty({
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname,reqId',
    singleLine: true,
    sync: false,
  })
  return pino({ level, redact }, pretty)
}
