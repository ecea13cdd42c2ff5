import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'
import { Modal } from 'antd'
import { useId, useState } from 'react'
import { usePhone } from '#kit/use-phone.ts'
import { useAlarmWork } from '../../queries.ts'
import { DealFields } from './deal-fields.tsx'
import { useBulk } from './use-bulk.tsx'

interface DealModalProps {
  records: readonly AlarmRecord[]
  open: boolean
  onClose: () => void
  onDone: () => void
}

/** One note for all chosen records. */
export function DealModal({ records, open, onClose, onDone }: DealModalProps) {
  const id = useId()
  const phone = usePhone()
  const work = useAlarmWork()
  const bulk = useBulk()
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    const done = await bulk('处理', records, (ids) => work.dealMany(ids, note.trim()))
    setBusy(false)
    if (!done) return
    onDone()
    onClose()
  }
  return (
    <Modal
      title={`处理 ${records.length} 条告警`}
      open={open}
      onCancel={() => !busy && onClose()}
      width={phone ? '100%' : 560}
      okText="提交处理"
      cancelText="取消"
      okButtonProps={{ loading: busy, disabled: note.trim() === '' }}
      onOk={() => void submit()}
    >
      <p className="meta">同一条处理结果写入每一条记录，状态变为已处理；再次触发时会重新打开。</p>
      <DealFields id={id} value={note} onChange={setNote} rows={4} autoFocus disabled={busy} />
    </Modal>
  )
}
