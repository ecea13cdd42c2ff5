/** Apart from the dialog: every screen can ask, and few of them have a field otherwise. */
import { t } from '@ithings/contract/text.ts'
import { Input } from 'antd'
import { useId, useState } from 'react'

export function ConfirmField({ expected, onTyped }: { expected: string; onTyped: (text: string) => void }) {
  const id = useId()
  const [typed, setTyped] = useState('')
  return (
    <label className="above-8 softer column gap-8" htmlFor={id}>
      <span>
        {t('请输入')} <b>{expected}</b> {t('以确认')}
      </span>
      <Input
        id={id}
        value={typed}
        autoFocus
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value)
          onTyped(event.target.value)
        }}
      />
    </label>
  )
}
