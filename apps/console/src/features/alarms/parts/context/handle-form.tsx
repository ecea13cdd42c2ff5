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
import { May } from '#kit/rights.tsx'
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
  const [busy, setBusy] = useState('')
  const [failure, setFailure] = useState('')
  const mine = record.claimUserID === session.userID()
  const run = async (word: string, action: () => Promise<unknown>) => {
    setBusy(word)
    setFailure('')
    try {
      await action()
    } catch (error) {
      setFailure(describeError(error).reason)
    } finally {
      setBusy('')
    }
  }
  const submit = () =>
    run(t('提交'), async () => {
      await work.deal(record.id, note.trim())
      setNote('')
      void message.success(t('处理成功'))
    })
  return (
    <footer className="panel-foot line-above column gap-8">
      {failure && <Alert type="error" showIcon title={failure} />}
      <DealFields id={id} value={note} onChange={setNote} disabled={busy === '提交'} />
      <div className="panel-foot-buttons row gap-8">
        <span className="meta grow">
          {note.length} / {maxDealResult}
        </span>
        <May needs={ignoreRecords}>
          <Button
            type="text"
            loading={busy === '忽略'}
            onClick={() => void run(t('忽略'), () => bulk(t('忽略'), [record], work.ignore))}
          >
            {t('忽略')}
          </Button>
        </May>
        <May needs={claimRecords}>
          <Button
            icon={<UserOutlined />}
            loading={busy === '认领'}
            onClick={() =>
              void run(t('认领'), () =>
                bulk(mine ? t('放弃认领') : t('认领'), [record], (ids) => work.claim(ids, mine)),
              )
            }
          >
            {mine ? t('放弃认领') : t('认领')}
          </Button>
        </May>
        <Button type="primary" loading={busy === '提交'} disabled={note.trim() === ''} onClick={() => void submit()}>
          {t('提交处理')}
        </Button>
      </div>
    </footer>
  )
}
