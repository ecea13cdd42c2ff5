import { HttpMethod, httpMethodLabels } from '@ithings/contract/endpoint.ts'
import { type Api, createApiBody, updateApiBody } from '@ithings/contract/features/apis.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App, AutoComplete, Input, Radio, Select } from 'antd'
import { useState } from 'react'
import type * as z from 'zod'
import { businessTypeOptions } from '#blocks/business-type.tsx'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { useSessionKey } from '#kit/form/use-session-key.ts'
import { labelOf } from '#kit/status-tag.tsx'
import { groupsOf, sameApi } from '../api-groups.ts'
import { methodOptions } from '../labels.ts'
import { allApisQuery, postApi, putApi, useApisChanged } from '../queries.ts'

export type ApiTask = { kind: 'create'; group: string | undefined } | { kind: 'edit'; api: Api }

// One form for both: without an id it is a new API; editing needs every field just the same.
const schema = createApiBody.extend({ id: updateApiBody.shape.id.optional() })
type Values = z.output<typeof schema>

interface ApiFormProps {
  task: ApiTask | undefined
  list: readonly Api[]
  onClose: () => void
}

export function ApiForm(props: ApiFormProps) {
  const key = useSessionKey(props.task !== undefined)
  return <Dialog key={key} {...props} />
}

const initialOf = (task: ApiTask): Partial<z.input<typeof schema>> => {
  if (task.kind === 'create') return { method: HttpMethod.post, ...(task.group && { group: task.group }) }
  const { id, route, method, group, name, businessType } = task.api
  return { id, route, method, group, name, businessType } as Partial<z.input<typeof schema>>
}

function Dialog({ task, list, onClose }: ApiFormProps) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const changed = useApisChanged()
  // What it was opened for stays while the dialog fades out.
  const [shown] = useState(task)
  const api = shown?.kind === 'edit' ? shown.api : undefined
  const stale = useStaleEdit(api?.rev ?? 0, async () => {
    const { list: now } = await client.fetchQuery({ ...allApisQuery, staleTime: 0 })
    const latest = now.find((one) => one.id === api?.id)
    if (!latest) throw new Error(t('这个接口已经被删除'))
    return latest
  })

  const submit = async ({ id, ...values }: Values, { rev }: { rev: number }) => {
    if (id === undefined) await postApi(values)
    else await putApi({ id, ...values, rev })
    void message.success(id === undefined ? t('创建成功') : t('更新成功'))
    await changed()
  }

  return (
    <FormModal
      title={api ? t('编辑接口') : t('新增接口')}
      open={task !== undefined}
      onClose={onClose}
      schema={schema}
      initialValues={shown && initialOf(shown)}
      onSubmit={submit}
      stale={stale}
    >
      <Field
        name="route"
        label={t('接口路由')}
        dependencies={['method']}
        rules={[
          ({ getFieldValue }) => ({
            validator: (_rule, value: unknown) => {
              const method = Number(getFieldValue('method'))
              const other = sameApi(list, { route: String(value ?? '').trim(), method }, api?.id)
              if (!other) return Promise.resolve()
              const own = `${labelOf(httpMethodLabels, method)} ${other.route}`
              return Promise.reject(new Error(t('{api} 已登记为「{name}」', { api: own, name: other.name })))
            },
          }),
        ]}
      >
        <Input className="mono" maxLength={256} placeholder={t('以 /api/ 开头，例如 /api/v1/things/product/index')} />
      </Field>
      <Field name="method" label={t('请求方式')}>
        <Select options={methodOptions} placeholder={t('选择请求方式')} />
      </Field>
      <Field name="group" label={t('接口分组')}>
        <AutoComplete
          options={groupsOf(list).map(({ name }) => ({ value: name }))}
          showSearch={{ filterOption: (input, option) => option?.value.includes(input) ?? false }}
          placeholder={t('选择已有分组，或输入新的分组')}
        />
      </Field>
      <Field name="name" label={t('接口名称')}>
        <Input maxLength={64} placeholder={t('会显示在角色权限和操作日志中')} />
      </Field>
      <Field name="businessType" label={t('业务类型')} extra={t('查询类接口不写入操作日志')}>
        <Radio.Group
          optionType="button"
          options={businessTypeOptions.map(({ value, label }) => ({ value, label: t(label) }))}
        />
      </Field>
    </FormModal>
  )
}
