import { expect, test } from "vitest";
import { readPostedForm } from "../../../functions/describe-account/login-form.ts";

const form = "application/x-www-form-urlencoded";

test.each(["", "username=greens-app", "password=x", "user=greens-app&password=x"])(
  "a posted form with %o lacks a field, and is no attempt to log in",
  (body) => {
    expect(readPostedForm(form, body)).toMatchObject({ status: 400 });
  },
);

test("a posted form with empty fields is an attempt to log in", () => {
  expect(readPostedForm(form, "username=&password=")).toEqual({
    credentials: { username: "", password: "" },
  });
});
