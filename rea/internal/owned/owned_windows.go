package owned

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

func self() (string, error) { return os.Executable() }

// handlesName is the environment variable that tells a child on Windows the
// numbers of its three handles, which there cannot be chosen.
const handlesName = "REA_PROCESS_HANDLES"

// group is a child in a job object of its own. The job ends with its last
// handle, and every process in it ends with the job: a killed parent takes its
// children along.
type group struct {
	cmd  *exec.Cmd
	job  windows.Handle
	done chan struct{}
}

// launch starts cmd and puts it into its job before the first byte of its
// request is written.
func launch(cmd *exec.Cmd, files []*os.File, _ string) (process, error) {
	var handles [3]uintptr
	for i, f := range files {
		handles[i] = f.Fd()
		h := windows.Handle(handles[i])
		if err := windows.SetHandleInformation(h, windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT); err != nil {
			return nil, err
		}
		defer windows.SetHandleInformation(h, windows.HANDLE_FLAG_INHERIT, 0)
	}
	inherit := make([]syscall.Handle, len(handles))
	for i, h := range handles {
		inherit[i] = syscall.Handle(h)
	}
	cmd.Env = append(cmd.Env, handlesName+"="+formatHandles(handles))
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:                 true,
		CreationFlags:              windows.CREATE_NEW_PROCESS_GROUP,
		AdditionalInheritedHandles: inherit,
	}
	job, err := newJob(windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	})
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job)
		return nil, err
	}
	if err := assign(job, cmd.Process.Pid); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		windows.CloseHandle(job)
		return nil, err
	}
	g := &group{cmd: cmd, job: job, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // the state says more than the error
		close(g.done)
	}()
	return g, nil
}

func newJob(limit windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limit)), uint32(unsafe.Sizeof(limit)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

func assign(job windows.Handle, pid int) error {
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(p)
	return windows.AssignProcessToJobObject(job, p)
}

func (g *group) ended() <-chan struct{} { return g.done }

func (g *group) kill() { _ = windows.TerminateJobObject(g.job, 1) } // residue sees a failure

func (g *group) sample() {} // the job remembers its peak

func (g *group) reap() (e end) {
	code := g.cmd.ProcessState.ExitCode()
	e.code = &code
	if limit, err := jobLimit(g.job); err == nil {
		e.resident = int64(limit.PeakProcessMemoryUsed)
	}
	return e
}

// residue waits until no process is active in the job, and gives the job up.
func (g *group) residue() []string {
	defer windows.CloseHandle(g.job)
	for limit := time.Now().Add(killPatience); ; time.Sleep(5 * time.Millisecond) {
		// JOBOBJECT_BASIC_ACCOUNTING_INFORMATION
		var account struct {
			userTime, kernelTime, periodUserTime, periodKernelTime int64
			pageFaults, processes, active, terminated              uint32
		}
		err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation, uintptr(unsafe.Pointer(&account)), uint32(unsafe.Sizeof(account)), nil)
		if err == nil && account.active == 0 {
			return nil
		}
		if time.Now().After(limit) {
			return []string{fmt.Sprintf("process-group:%d", g.cmd.Process.Pid)}
		}
	}
}

func jobLimit(job windows.Handle) (limit windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION, err error) {
	err = windows.QueryInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limit)), uint32(unsafe.Sizeof(limit)), nil)
	return limit, err
}

// setCeiling puts this process into a job that limits what it may commit. The
// job's handle is kept, for the limit goes with it.
func setCeiling(size uint64) error {
	job, err := newJob(windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY},
		ProcessMemoryLimit:    uintptr(size),
	})
	if err != nil {
		return err
	}
	if err := windows.AssignProcessToJobObject(job, windows.CurrentProcess()); err != nil {
		return err
	}
	set, err := jobLimit(job)
	if err != nil {
		return err
	}
	if set.BasicLimitInformation.LimitFlags&windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY == 0 || uint64(set.ProcessMemoryLimit) != size {
		return errNoCeiling
	}
	return nil
}

func systemCode(err error) string {
	var errno windows.Errno
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "ENOENT"
	case errors.Is(err, os.ErrPermission):
		return "EACCES"
	case errors.As(err, &errno):
		return fmt.Sprintf("ERROR_%d", uint32(errno))
	}
	return "unknown"
}

func inheritFiles() (files [3]*os.File, err error) {
	handles, err := parseHandles(os.Getenv(handlesName))
	if err != nil {
		return files, err
	}
	for i, name := range []string{"request", "reply", "snapshot"} {
		files[i] = os.NewFile(handles[i], name)
	}
	return files, nil
}

// mapSnapshot maps the whole of f for reading.
func mapSnapshot(f *os.File, size int) ([]byte, error) {
	mapping, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, err
	}
	defer windows.CloseHandle(mapping) // the view keeps it
	address, err := windows.MapViewOfFile(mapping, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return nil, err
	}
	// The address is the system's, not a Go pointer kept as a number.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), size), nil
}
