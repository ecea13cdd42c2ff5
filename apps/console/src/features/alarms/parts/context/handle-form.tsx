import { UserOutlined } from '@ant-design/icons'
import {
  type AlarmRecord,
  claimRecords,
  ignoreRecords,
  maxDealResult,
} from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, App, Button } from 'antd'
import { useId, useState } from 'react'
import { session } from '#api/session-store.ts'
import { ActButton } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { useAlarmWork } from '../../queries.ts'
import { DealFields } from '../queue/deal-fields.tsx'
import { useBulk } from '../queue/use-bulk.tsx'

/** Claim, ignore or handle one open record. */
export function HandleForm({ record }: { record: AlarmRecord }) {
  const id = useId()
  const { message } = App.useApp()
  const work = useAlarmWork()
  const bulk = useBulk()
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState<'submit' | 'ignore' | 'claim'>()
  const [failure, setFailure] = useState('')
  const mine = record.claimUserID === session.userID()
  const run = async (what: typeof busy, action: () => Promise<unknown>) => {
    setBusy(what)
    setFailure('')
    try {
      await action()
    } catch (error) {
      setFailure(describeError(error).reason)
    } finally {
      setBusy(undefined)
    }
  }
  const submit = () =>
    run('submit', async () => {
      await work.deal(record.id, note.trim())
      setNote('')
      void message.success(t('处理成功'))
    })
  return (
    <footer className="panel-foot line-above column gap-8">
      {failure && <Alert type="error" showIcon title={failure} />}
      <DealFields id={id} value={note} onChange={setNote} disabled={busy === 'submit'} />
      <div className="panel-foot-buttons row gap-8">
        <span className="meta grow">
          {note.length} / {maxDealResult}
        </span>
        <ActButton
          needs={ignoreRecords}
          type="text"
          loading={busy === 'ignore'}
          onClick={() => void run('ignore', () => bulk('ignore', [record], work.ignore))}
        >
          {t('忽略')}
        </ActButton>
        <ActButton
          needs={claimRecords}
          icon={<UserOutlined />}
          loading={busy === 'claim'}
          onClick={() =>
            void run('claim', () => bulk(mine ? 'unclaim' : 'claim', [record], (ids) => work.claim(ids, mine)))
          }
        >
          {mine ? t('放弃认领') : t('认领')}
        </ActButton>
        <Button type="primary" loading={busy === 'submit'} disabled={note.trim() === ''} onClick={() => void submit()}>
          {t('提交处理')}
        </Button>
      </div>
    </footer>
  )
}
