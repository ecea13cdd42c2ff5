/** The tone of a new alarm: a switch that is remembered, and two short notes made by the browser itself. */
import { useSyncExternalStore } from 'react'
import { guardedStore } from '#api/text-store.ts'

const store = guardedStore(() => localStorage)
const key = 'iThings-alarm-sound'

const listeners = new Set<() => void>()
const soundOn = (): boolean => store.get(key) === '1'

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab switched it.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

export function setSound(on: boolean): void {
  store.set(key, on ? '1' : '')
  for (const listener of listeners) listener()
  // The click is the gesture that browsers want before a page may sound; hearing it shows that it works.
  if (on) void playTone()
}

export const useSound = (): boolean => useSyncExternalStore(subscribe, soundOn)

let context: AudioContext | undefined

const notes = [
  { frequency: 880, at: 0 },
  { frequency: 1175, at: 0.18 },
]
const noteLength = 0.16
const volume = 0.12

function sound(audio: AudioContext): void {
  const begin = audio.currentTime + 0.02
  for (const { frequency, at } of notes) {
    const oscillator = audio.createOscillator()
    const gain = audio.createGain()
    oscillator.frequency.value = frequency
    // Without a rise and a fall each note would click.
    gain.gain.setValueAtTime(0, begin + at)
    gain.gain.linearRampToValueAtTime(volume, begin + at + 0.02)
    gain.gain.linearRampToValueAtTime(0, begin + at + noteLength)
    oscillator.connect(gain).connect(audio.destination)
    oscillator.start(begin + at)
    oscillator.stop(begin + at + noteLength)
  }
}

/** How long a page may take to be allowed to sound; a tone that comes later would only puzzle. */
const patience = 500

async function playTone(): Promise<void> {
  context ??= new AudioContext()
  const audio = context
  if (audio.state !== 'running') {
    await Promise.race([audio.resume(), new Promise<void>((done) => setTimeout(done, patience))])
  }
  if (audio.state === 'running') sound(audio)
}

/**
 * Whether there is an alarm that was not there before, by the moment when the newest of the open ones was opened
 * (countAlarmRecords). What an open one reports again is none, nor is what was there when the page was opened. Pure.
 */
export const isNewAlarm = (before: number | undefined, newest: number | undefined): boolean =>
  before !== undefined && newest !== undefined && newest > before

/** Of several open tabs one sounds. */
export function soundOnce(): void {
  if (!soundOn()) return
  // Only pages over https (or of this machine) know locks.
  if (!('locks' in navigator)) {
    void playTone()
    return
  }
  void navigator.locks.request(key, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    await playTone()
    await new Promise<void>((done) => setTimeout(done, 2 * patience))
  })
}
