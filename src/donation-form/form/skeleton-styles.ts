import { css } from 'lit';

export const skeletonStyles = css`
  /* The heights of the form's sections. */
  .skeleton {
    display: grid;
    gap: var(--gap);
    align-content: start;
    min-height: 87em;
  }
  .bones {
    display: grid;
    align-content: start;
    grid-template-columns: repeat(6, minmax(0, 1fr));
    gap: 0.5em;
  }
  .bones::before {
    content: '';
    grid-column: 1 / -1;
    width: 6em;
    height: 1.25em;
    border-radius: 0.25em;
  }
  .bone,
  .bones::before {
    background: var(--fill);
  }
  .bone {
    grid-column: 1 / -1;
    height: 3.25em;
    border-radius: calc(var(--radius) * 1.2);
    /* Forced colors show the outline. */
    outline: 1px solid transparent;
  }
  .half.bone {
    grid-column: span 3;
  }
  .third {
    grid-column: span 2;
    height: 3.5em;
  }
`;
