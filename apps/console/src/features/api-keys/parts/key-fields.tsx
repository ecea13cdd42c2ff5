import { usualPerMinute } from '@ithings/contract/features/api-keys.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { DatePicker, Form, Input, InputNumber, Radio, Select } from 'antd'
import dayjs from 'dayjs'
import { GroupPicker } from '#blocks/group-picker.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { Field, type InputProps } from '#kit/form/field.tsx'
import { useMemo } from '#language/use-memo.ts'
import { keyApisQuery, rolesQuery } from '../queries.ts'

const expiryDays = [30, 90, 365]

/** Seconds; 0 is never. */
function ExpiryInput({ id, value = 0, onChange }: InputProps<number>) {
  return (
    <DatePicker
      {...(id && { id })}
      showTime
      style={{ width: '100%' }}
      placeholder={t('永不过期')}
      minDate={dayjs()}
      value={value === 0 ? null : dayjs(value * 1000)}
      presets={expiryDays.map((days) => ({
        label: t('{count} 天后', { count: days }),
        value: () => dayjs().add(days, 'day'),
      }))}
      onChange={(picked) => onChange?.(picked ? picked.unix() : 0)}
    />
  )
}

/** The number of a group, which the picker holds as text. */
const GroupInput = ({ id, value = 0, onChange }: InputProps<number>) => (
  <GroupPicker
    {...(id && { id })}
    value={value === 0 ? undefined : String(value)}
    onChange={(groupID) => onChange?.(Number(groupID ?? 0))}
  />
)

function ApisInput({ id, value, onChange }: InputProps<string[]>) {
  const { data, isPending } = useQuery(keyApisQuery)
  const options = useMemo(() => {
    const groups = Map.groupBy(data?.list ?? [], ({ group }) => group)
    return [...groups].map(([label, apis]) => ({
      label,
      options: apis.map(({ path, name }) => ({ value: path, label: name, search: `${name} ${path}` })),
    }))
  }, [data])
  return (
    <Select
      {...(id && { id })}
      mode="multiple"
      allowClear
      loading={isPending}
      placeholder={t('不选：可以调用归属者能调用的全部接口')}
      showSearch={{ optionFilterProp: 'search' }}
      maxTagCount="responsive"
      options={options}
      {...(value && { value })}
      {...(onChange && { onChange })}
    />
  )
}

export function RoleField() {
  const { data, isPending } = useQuery(rolesQuery)
  return (
    <Field name="roleID" label={t('角色')} extra={t('服务账号没有密码，权限来自这个角色')}>
      <Select
        loading={isPending}
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={t('选择角色')}
        options={(data?.list ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Field>
  )
}

const limits = ['none', 'product', 'group'] as const
const limitLabels: Record<(typeof limits)[number], string> = {
  none: '不限',
  product: '一个产品',
  group: '一个分组',
}

/** At most one of the two; choosing another kind empties the other. */
function LimitFields() {
  const form = Form.useFormInstance()
  const productID: string = Form.useWatch('productID', form) ?? ''
  const groupID: number = Form.useWatch('groupID', form) ?? 0
  const chosen: string | undefined = Form.useWatch('limit', { form, preserve: true })
  const limit = chosen ?? (productID !== '' ? 'product' : groupID !== 0 ? 'group' : 'none')
  const choose = (next: string) => form.setFieldsValue({ limit: next, productID: '', groupID: 0 })
  return (
    <>
      <Form.Item label={t('数据范围')}>
        <Radio.Group
          value={limit}
          options={limits.map((value) => ({ value, label: t(limitLabels[value]) }))}
          onChange={({ target }) => choose(target.value)}
        />
      </Form.Item>
      {limit === 'product' && (
        <Field name="productID" label={t('产品')} extra={t('只能调用与这个产品有关的接口')}>
          <ProductPicker />
        </Field>
      )}
      {limit === 'group' && (
        <Field name="groupID" label={t('分组')} extra={t('只能读写这个分组及其下级分组中的设备')}>
          <GroupInput />
        </Field>
      )}
    </>
  )
}

export function KeyFields() {
  return (
    <>
      <Field name="apis" label={t('接口')} extra={t('须两步验证的操作只有逐一选定才能调用')}>
        <ApisInput />
      </Field>
      <LimitFields />
      <Field name="addresses" label={t('允许的地址')} extra={t('IP 地址或网段，例如 192.0.2.0/24；不填则不限')}>
        <Select mode="tags" tokenSeparators={[',', ' ']} open={false} suffixIcon={null} placeholder="192.0.2.0/24" />
      </Field>
      <Field name="expiresTime" label={t('到期时间')}>
        <ExpiryInput />
      </Field>
      <Field name="perMinute" label={t('每分钟调用上限')} extra={t('每台服务器分别计数，超过后返回 429')}>
        <InputNumber min={1} max={60_000} precision={0} style={{ width: 160 }} placeholder={String(usualPerMinute)} />
      </Field>
    </>
  )
}

export const NameField = () => (
  <Field name="name" label={t('名称')}>
    <Input maxLength={64} showCount autoFocus placeholder={t('例如：夜间数据同步')} />
  </Field>
)
