;;; Emacs with Eglot: `drive.py' starts it and reads what it reports. -*- lexical-binding: t -*-

(setq native-comp-warning-on-missing-source nil)
(require 'eglot)
(require 'json)

(defvar task (json-parse-string (getenv "TASK")))
(defvar report (make-hash-table :test #'equal))
(defvar steps (make-hash-table :test #'equal))

(defun place (at)
  "Return the line and the column of AT, in bytes from 0."
  (save-excursion
    (goto-char at)
    (let ((before (buffer-substring-no-properties (line-beginning-position) at)))
      (vector (1- (line-number-at-pos at)) (string-bytes before)))))

(defun lsp-diagnostic (diagnostic)
  "Return what the server has sent as DIAGNOSTIC."
  (alist-get 'eglot-lsp-diag (flymake-diagnostic-data diagnostic)))

(defun rules ()
  (let ((rules (mapcar (lambda (diagnostic) (plist-get (lsp-diagnostic diagnostic) :code))
                       (flymake-diagnostics))))
    (string-join (sort rules #'string<) " ")))

(defun await (what)
  "Wait until WHAT returns something."
  (let ((end (+ (float-time) 10)))
    (while (not (or (funcall what) (> (float-time) end)))
      (accept-process-output nil 0.02))))

(defun tell (name)
  "Wait for the diagnostics of the step NAME, and note all that is there."
  ;; What else is done when nobody types.
  (eglot--signal-textDocument/didChange)
  (flymake-start)
  (await (lambda () (equal (rules) (gethash name (gethash "rules" task)))))
  (let ((diagnostics
         (mapcar (lambda (diagnostic)
                   (let ((sent (lsp-diagnostic diagnostic)))
                     `((rule . ,(plist-get sent :code))
                       (severity . ,(plist-get sent :severity))
                       (message . ,(plist-get sent :message))
                       (start . ,(place (flymake-diagnostic-beg diagnostic)))
                       (end . ,(place (flymake-diagnostic-end diagnostic))))))
                 (flymake-diagnostics))))
    (puthash name
             `((text . ,(buffer-substring-no-properties (point-min) (point-max)))
               (diagnostics . ,(vconcat diagnostics)))
             steps)))

(defun drive ()
  (setq eglot-sync-connect 10
        eglot-confirm-server-initiated-edits nil)
  (with-temp-buffer
    (insert (aref (gethash "recipes" task) 0))
    (eval-buffer))
  (find-file (gethash "document" task))
  ;; As after a key.
  (run-hooks 'post-command-hook)
  (let ((server (eglot-current-server)))
    (puthash "editor" (format "Emacs %s" emacs-version) report)
    ;; Eglot before 1.12 takes only UTF-16.
    (let ((encoding (plist-get (eglot--capabilities server) :positionEncoding)))
      (puthash "encoding" (or encoding "utf-16") report))
    (puthash "pulls" (if (plist-get (eglot--capabilities server) :diagnosticProvider) t :json-false)
             report)
    (tell "open")

    (seq-doseq (edit (gethash "edits" task))
      (goto-char (point-min))
      (search-forward (aref edit 0))
      (replace-match (aref edit 1) t t))
    (tell "edit")

    (goto-char (point-min))
    (search-forward (gethash "fixed" task))
    (let ((completing-read-function
           (lambda (_prompt items &rest _)
             (let ((titles (mapcar #'car items)))
               (or (seq-find (lambda (title) (string-search (gethash "title" task) title)) titles)
                   (error "No such action among %S" titles)))))
          ;; Not by a mouse, which would open a menu.
          (last-nonmenu-event ?x))
      (eglot-code-actions (match-beginning 0) (match-end 0) "quickfix" t))
    (tell "fix")

    (puthash "links"
             (jsonrpc-request server :textDocument/documentLink
                              (list :textDocument (eglot--TextDocumentIdentifier)))
             report)
    (eglot-shutdown server nil 10)))

(condition-case fault
    (drive)
  (error (puthash "fault" (format "%S" fault) report)))
(puthash "steps" steps report)
(with-temp-file (gethash "report" task)
  (set-buffer-file-coding-system 'utf-8)
  (insert (json-encode report)))
;; Nothing is saved.
(set-buffer-modified-p nil)
(kill-emacs (if (gethash "fault" report) 1 0))
