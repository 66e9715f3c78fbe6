// What the views share. Text goes into the page as text only: nothing that a message has in it is ever markup.

/** @returns {HTMLElement} */
export const byId = id => document.getElementById(id);

/** @param {Array<string | Node>} children Strings become text. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** @param {number} count @param {string} one The word for one; others get an s. */
export const many = (count, one) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

/** The time of day, to the millisecond. */
export function timeOfDay(date = new Date()) {
  const two = value => String(value).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** Calls `act` soon, once for many calls; `every` bounds how often, in milliseconds. */
export function soon(act, every = 100) {
  let waits = false;
  return () => {
    if (!waits) {
      waits = true;
      setTimeout(() => {
        waits = false;
        act();
      }, every);
    }
  };
}

/** Whether the text of a form is a destination; says so in the field if not. */
export function isDestination(field) {
  const fits = /^\/(queue|topic)\/./.test(field.value);
  field.setCustomValidity(fits ? "" : "Write /queue/NAME or /topic/NAME.");
  return field.reportValidity();
}
