import { Counter, type Registry } from 'prom-client'
import { showFigure } from '#background/gauges.ts'

interface Sizes {
  queue(): number
  states(): number
  scenes(): number
  silence(): number
}

/** /metrics: `ithings_scene_*`. */
export function makeWatchMetrics(metrics: Registry, sizes: Sizes) {
  /** Counted in a plain number: some are asked for each message. */
  const counter = (name: string, help: string) => {
    let told = 0
    let count = 0
    new Counter({
      name: `ithings_scene_${name}_total`,
      help,
      registers: [metrics],
      collect() {
        this.inc(count - told)
        told = count
      },
    })
    return {
      inc: () => {
        count++
      },
    }
  }
  const gauge = (name: string, help: string, read: () => number) =>
    showFigure(metrics, `ithings_scene_${name}`, help, read)
  gauge('queue', 'Firings that wait for the values of their conditions', sizes.queue)
  gauge('states', 'Triggers and devices with a state in memory', sizes.states)
  gauge('watched', 'Enabled device scenes', sizes.scenes)
  gauge('silence_watched', 'Devices whose silence is watched', sizes.silence)
  return {
    evaluated: counter('evaluated', 'Triggers that were asked about a message'),
    fired: counter('fired', 'Scenes handed over to be run'),
    missed: counter('missed', 'Triggers that matched without a firing'),
    dropped: counter('questions_dropped', 'Firings whose conditions were not asked because too many waited'),
    failed: counter('failed', 'Triggers and conditions that could not be judged'),
    replayed: counter('replayed', 'Messages looked at again after a crash'),
  }
}

export type WatchMetrics = ReturnType<typeof makeWatchMetrics>
