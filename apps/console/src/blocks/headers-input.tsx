import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Form, Input } from 'antd'
import './headers-input.css'

const maxHeaders = 20

/** Rows of name and value under `headers` of the form. */
export function HeadersInput({ help }: { help?: string | undefined }) {
  return (
    <Form.Item label={t('请求头')} extra={help}>
      <Form.List name="headers">
        {(rows, { add, remove }) => (
          <div className="column gap-8">
            {rows.map((row, index) => (
              <div className="headers-row grid gap-8" key={row.key}>
                <Form.Item
                  className="bare"
                  name={[row.name, 'key']}
                  rules={[{ required: true, whitespace: true, message: t('名称不能为空') }]}
                >
                  <Input
                    aria-label={t('请求头 {index} 名称', { index: index + 1 })}
                    placeholder={t('名称，如 Authorization')}
                    maxLength={64}
                  />
                </Form.Item>
                <Form.Item className="bare" name={[row.name, 'value']}>
                  <Input
                    aria-label={t('请求头 {index} 值', { index: index + 1 })}
                    placeholder={t('值')}
                    maxLength={1024}
                  />
                </Form.Item>
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={t('删除请求头 {index}', { index: index + 1 })}
                  onClick={() => remove(row.name)}
                />
              </div>
            ))}
            {rows.length < maxHeaders && (
              <Button type="dashed" block icon={<PlusOutlined />} onClick={() => add({ key: '', value: '' })}>
                {t('添加请求头')}
              </Button>
            )}
          </div>
        )}
      </Form.List>
    </Form.Item>
  )
}
