import { zoneOffset } from '@ithings/contract/zone-days.ts'
import { useEffect, useState } from 'react'
import { useServerZone } from '#blocks/server-zone.ts'

/** A cron expression in Chinese and how far the zone is off that it runs by; the reader comes on first use. */
export function CronWords({ cron }: { cron: string }) {
  const zone = useServerZone()
  const [words, setWords] = useState<string>()
  useEffect(() => {
    let current = true
    void import('#kit/cron-verdict.ts').then(({ readCron }) => {
      if (current) setWords(readCron(cron).words ?? cron)
    })
    return () => {
      current = false
    }
  }, [cron])
  return (
    <>
      {words ?? cron}
      {zone && `（${zoneOffset(zone)}）`}
    </>
  )
}
