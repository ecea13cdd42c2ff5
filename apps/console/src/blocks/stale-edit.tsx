/** 900001 (decisions.md 2 "Stale edits"): somebody else saved meanwhile. The form offers 刷新 and keeps what was typed. */

import { ReloadOutlined } from '@ant-design/icons'
import { errors } from '@ithings/contract/errors.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, type FormInstance } from 'antd'
import { useRef, useState } from 'react'
import type { StaleEdit } from '#kit/form/form-contract.ts'
import { describeError } from '#kit/states/describe-error.ts'

const isStaleEdit = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === errors.staleEdit.code

/**
 * @param rev revision the form was opened with
 * @param reread the record as it is now, under the names of the form's fields
 */
export function useStaleEdit(rev: number, reread: () => Promise<object & { rev: number }>): StaleEdit {
  const [step, setStep] = useState<'fresh' | 'stale' | 'reading' | 'merged'>('fresh')
  const [problem, setProblem] = useState('')
  const newest = useRef(rev)
  const form = useRef<FormInstance>(undefined)

  const refresh = async () => {
    setStep('reading')
    try {
      const latest = await reread()
      newest.current = latest.rev
      const untouched = Object.entries(latest).filter(([name]) => !form.current?.isFieldTouched(name))
      form.current?.setFieldsValue(Object.fromEntries(untouched))
      setStep('merged')
    } catch (error) {
      // The button stays for another try.
      setProblem(describeError(error).reason)
      setStep('stale')
    }
  }

  return {
    guard: async (save) => {
      try {
        return await save(newest.current)
      } catch (error) {
        if (isStaleEdit(error)) setStep('stale')
        throw error
      }
    },
    bind: (given) => {
      form.current = given
    },
    action:
      step === 'merged' ? (
        <span className="meta">{t('已载入最新内容，你改过的字段未变，请核对后保存')}</span>
      ) : step === 'fresh' ? null : (
        <>
          <Button icon={<ReloadOutlined />} loading={step === 'reading'} onClick={() => void refresh()}>
            {t('刷新')}
          </Button>
          {problem && <span className="form-problems error-text"> {problem}</span>}
        </>
      ),
  }
}
