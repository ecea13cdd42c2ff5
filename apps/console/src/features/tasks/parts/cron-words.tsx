import { useEffect, useState } from 'react'

/** A cron expression in Chinese; the reader comes on first use (screens.md 7 "human reading in tooltip"). */
export function CronWords({ cron }: { cron: string }) {
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
  return <>{words ?? cron}</>
}
