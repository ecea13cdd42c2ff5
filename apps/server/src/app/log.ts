import { type Logger, pino } from 'pino'

/** Pretty for people at a terminal, one JSON object a line for everything else. */
export function makeLog(level: string, terminal: boolean): Logger {
  const redact = { paths: ['*.password', '*.token', 'req.headers["ithings-token"]'], censor: '******' }
  if (!terminal) return pino({ level, redact })
  return pino({
    level,
    redact,
    transport: {
      target: 'pino-pretty',
      options: { translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname,reqId', singleLine: true },
    },
  })
}
