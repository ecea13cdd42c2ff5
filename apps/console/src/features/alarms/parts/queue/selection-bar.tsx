import { type AlarmRecord, claimRecords, dealRecords, ignoreRecords } from '@ithings/contract/features/alarms/record.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { May } from '#kit/rights.tsx'
import { useAlarmWork } from '../../queries.ts'
import { DealModal } from './deal-modal.tsx'
import { useBulk } from './use-bulk.tsx'

interface SelectionBarProps {
  records: readonly AlarmRecord[]
  onClear: () => void
}

export function SelectionBar({ records, onClear }: SelectionBarProps) {
  const work = useAlarmWork()
  const bulk = useBulk()
  const [dealing, setDealing] = useState({ session: 0, open: false })
  const [busy, setBusy] = useState('')
  const run = async (word: string, action: (ids: number[]) => ReturnType<typeof work.ignore>) => {
    setBusy(word)
    if (await bulk(word, records, action)) onClear()
    setBusy('')
  }
  return (
    <div className="selection-bar row wrap queue-selection">
      <span>
        已选 <b>{records.length.toLocaleString()}</b> 项
      </span>
      <span className="row wrap gap-4">
        <Button type="text" onClick={onClear}>
          取消选择
        </Button>
        <May needs={claimRecords}>
          <Button type="text" loading={busy === '认领'} onClick={() => void run('认领', (ids) => work.claim(ids))}>
            认领
          </Button>
        </May>
        <May needs={ignoreRecords}>
          <Button type="text" loading={busy === '忽略'} onClick={() => void run('忽略', work.ignore)}>
            忽略
          </Button>
        </May>
        <May needs={dealRecords}>
          <Button type="primary" size="small" onClick={() => setDealing({ session: dealing.session + 1, open: true })}>
            批量处理
          </Button>
        </May>
      </span>
      {dealing.session > 0 && (
        <DealModal
          key={dealing.session}
          records={records}
          open={dealing.open}
          onClose={() => setDealing({ ...dealing, open: false })}
          onDone={onClear}
        />
      )}
    </div>
  )
}
