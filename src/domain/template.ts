/**
 * Templates with named placeholders: `Revert "{subject}": {failure}`. What is filled in is never read as a template
 * again, so a value may hold whatever it likes.
 */

export interface TemplatePart {
  /** A stray brace has no partner; `{{` and `}}` are text. */
  kind: 'text' | 'placeholder' | 'stray';
  text: string;
}

/** A template in its parts, in order. */
export function partsOf(template: string): readonly TemplatePart[] {
  return [...template.matchAll(/\{\{|\}\}|\{([^{}\n]*)\}|[{}]|[^{}]+/g)].map(([text, name]) => {
    if (name !== undefined) return { kind: 'placeholder', text: name };
    if (text === '{{' || text === '}}') return { kind: 'text', text: text.slice(1) };
    return { kind: text === '{' || text === '}' ? 'stray' : 'text', text };
  });
}

/** The template with its placeholders replaced; one without a value becomes nothing. Never throws. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return partsOf(template)
    .map((part) =>
      part.kind === 'placeholder' ? (Object.hasOwn(values, part.text) ? values[part.text] : '') : part.text,
    )
    .join('');
}
