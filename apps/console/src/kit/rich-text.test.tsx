import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RichText } from './rich-text.tsx'

const parts = [<b key="0" />, <time key="1">10:00</time>]

test.each([
  ['no elements at all', 'no elements at all'],
  ['将影响 <0>12</0> 台', '将影响 <b>12</b> 台'],
  ['<1/> 起，<0>3</0> 台', '<time>10:00</time> 起，<b>3</b> 台'],
  ['a name with <5>signs</5> is text & stays', 'a name with &lt;5&gt;signs&lt;/5&gt; is text &amp; stays'],
])('%s', (text, drawn) => {
  expect(renderToStaticMarkup(<RichText text={text} parts={parts} />)).toBe(drawn)
})
