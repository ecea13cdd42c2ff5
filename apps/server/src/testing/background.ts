import { pino } from 'pino'
import { Registry } from 'prom-client'
import { type Background, makeBackground } from '#background/background.ts'
import type { Clock } from '#ports/clock.ts'

/** The engine of background work for tests that open one part of a server: silent, with metrics of its own. */
export const makeTestBackground = (clock: Clock): Background =>
  makeBackground({ clock, log: pino({ level: 'silent' }), metrics: new Registry() })
