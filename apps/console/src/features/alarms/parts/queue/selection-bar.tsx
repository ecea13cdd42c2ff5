import { type AlarmRecord, claimRecords, dealRecords, ignoreRecords } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Modal } from 'antd'
import { useId, useState } from 'react'
import { RichText } from '#kit/rich-text.tsx'
import { ActButton } from '#kit/rights.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import { useAlarmWork } from '../../queries.ts'
import { DealFields } from './deal-fields.tsx'
import { type BulkAct, useBulk } from './use-bulk.tsx'

export function SelectionBar({ records, onClear }: { records: readonly AlarmRecord[]; onClear: () => void }) {
  const work = useAlarmWork()
  const bulk = useBulk()
  const [dealing, setDealing] = useState({ session: 0, open: false })
  const [busy, setBusy] = useState<BulkAct>()
  const run = async (act: BulkAct, action: (ids: number[]) => ReturnType<typeof work.ignore>) => {
    setBusy(act)
    if (await bulk(act, records, action)) onClear()
    setBusy(undefined)
  }
  return (
    <div className="selection-bar gap-4-8 row wrap between queue-selection line-bottom tint-fill high-44">
      <span>
        <RichText text={t('已选 <0>{count, number}</0> 项', { count: records.length })} parts={[<b key="count" />]} />
      </span>
      <span className="row wrap gap-4">
        <Button type="text" onClick={onClear}>
          {t('取消选择')}
        </Button>
        <ActButton
          needs={claimRecords}
          type="text"
          loading={busy === 'claim'}
          onClick={() => void run('claim', (ids) => work.claim(ids))}
        >
          {t('认领')}
        </ActButton>
        <ActButton
          needs={ignoreRecords}
          type="text"
          loading={busy === 'ignore'}
          onClick={() => void run('ignore', work.ignore)}
        >
          {t('忽略')}
        </ActButton>
        <ActButton
          needs={dealRecords}
          type="primary"
          size="small"
          onClick={() => setDealing({ session: dealing.session + 1, open: true })}
        >
          {t('批量处理')}
        </ActButton>
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

interface DealModalProps extends Opened {
  records: readonly AlarmRecord[]
  onDone: () => void
}

/** One note for all chosen records. */
function DealModal({ records, open, onClose, onDone }: DealModalProps) {
  const id = useId()
  const phone = usePhone()
  const work = useAlarmWork()
  const bulk = useBulk()
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    const done = await bulk('handle', records, (ids) => work.dealMany(ids, note.trim()))
    setBusy(false)
    if (!done) return
    onDone()
    onClose()
  }
  return (
    <Modal
      title={t('处理 {count} 条告警', { count: records.length })}
      open={open}
      onCancel={() => !busy && onClose()}
      width={phone ? '100%' : 560}
      okText={t('提交处理')}
      cancelText={t('取消')}
      okButtonProps={{ loading: busy, disabled: note.trim() === '' }}
      onOk={() => void submit()}
    >
      <p className="meta">{t('同一条处理结果写入每一条记录，状态变为已处理；再次触发时会重新打开。')}</p>
      <DealFields id={id} value={note} onChange={setNote} rows={4} autoFocus disabled={busy} />
    </Modal>
  )
}
